"""What becomes of light in a camera, in batches: blur, exposure, white balance, tone, sharpening, noise, and the codec."""
import math

import torch
import torch.nn.functional as F


def coded(c):
    """Light as sRGB, 0 to 1."""
    c = c.clamp(0, 1)
    return torch.where(c <= 0.0031308, c * 12.92, 1.055 * c.clamp(min=0.0031308) ** (1 / 2.4) - 0.055)


class Lens:
    """What becomes of light in a camera: blur, exposure, white balance, tone, sharpening, noise, and the codec."""

    def __init__(self, d, b):
        self.d, self.b = d, b
        self.blur, self.noise = d.u(0.25, 0.95, b), d.u(0.4, 4, b)
        self.balance = torch.exp(d.n(0.06, b, 3))
        self.film, self.white = d.chance(0.5, b), d.u(1.5, 4, b)
        self.colour, self.power = d.u(0.75, 1.1, b), d.u(0.88, 1.15, b)
        self.sharp = torch.where(d.chance(0.3, b), d.u(0, 0.8, b), torch.zeros(b, device=d.device))
        self.video = d.chance(0.5, b)
        self.step = torch.where(self.video, 0.625 * 2 ** (d.u(19, 32, b) / 6), d.u(1, 6, b))

    def tone(self, c):
        """Light (b x 3 x ...) as the picture's values, 0 to 1."""
        v = lambda x: x.view(self.b, *[1] * (c.dim() - 1))
        c = c * self.balance.view(self.b, 3, *[1] * (c.dim() - 2))
        k = 1.5 * c
        c = torch.where(v(self.film), k * (1 + k / v(self.white) ** 2) / (1 + k), c).clamp(min=0)
        grey = c.mean(1, keepdim=True)
        c = (grey + (c - grey) * v(self.colour)).clamp(min=0)
        return coded(c) ** v(self.power)

    def blurred(self, x, sigma):
        """b x c x h x w, by a normal distribution of a width of its own each."""
        at = torch.arange(-3, 4, device=x.device).float()
        k = torch.exp(-at ** 2 / (2 * sigma[:, None] ** 2 + 1e-6))
        k = k / k.sum(1, keepdim=True)
        n, c, h, w = x.shape
        x = F.pad(x, (3, 3, 3, 3), mode="replicate").reshape(1, n * c, h + 6, w + 6)
        k = k.repeat_interleave(c, 0)
        x = F.conv2d(x, k.view(n * c, 1, 1, 7), groups=n * c)
        return F.conv2d(x, k.view(n * c, 1, 7, 1), groups=n * c).view(n, c, h, w)

    def developed(self, light):
        """Pictures, 0 to 255, b x 3 x h x w; h and w are multiples of 16."""
        d = self.d
        x = self.tone(self.blurred(light, self.blur)) * 255
        x = x + self.sharp.view(-1, 1, 1, 1) * (x - self.blurred(x, torch.full((self.b,), 1.2, device=x.device)))
        x = x + d.n(1, *x.shape) * self.noise.view(-1, 1, 1, 1) * (0.6 + 0.4 * torch.rand(self.b, 1, 1, 1, generator=d.g, device=x.device))
        return self.coded(x.clamp(0, 255)).clamp(0, 255).round()

    def coded(self, x):
        """Through the transform and quantisation of a codec: luma at full, chroma of films at half size."""
        m = torch.tensor(((0.299, 0.587, 0.114), (-0.1687, -0.3313, 0.5), (0.5, -0.4187, -0.0813)), device=x.device)
        y = torch.einsum("ij,njhw->nihw", m, x)
        luma, chroma = self.quantised(y[:, :1], self.step), y[:, 1:]
        half = F.interpolate(self.quantised(F.avg_pool2d(chroma, 2), self.step), scale_factor=2, mode="bilinear", align_corners=False)
        chroma = torch.where(self.video.view(-1, 1, 1, 1), half, self.quantised(chroma, self.step))
        return torch.einsum("ij,njhw->nihw", torch.linalg.inv(m.cpu()).to(m), torch.cat([luma, chroma], 1))

    def quantised(self, x, step):
        n, c, h, w = x.shape
        k = torch.arange(8, device=x.device).float()
        t = torch.cos(math.pi * (k[None] + 0.5) * k[:, None] / 8) * math.sqrt(2 / 8)
        t[0] = math.sqrt(1 / 8)
        hh, ww = -h % 8, -w % 8
        x = F.pad(x, (0, ww, 0, hh), mode="replicate")
        z = x.view(n, c, (h + hh) // 8, 8, (w + ww) // 8, 8).permute(0, 1, 2, 4, 3, 5)
        z = t @ z @ t.T
        q = step.view(-1, 1, 1, 1, 1, 1) * (1 + (k[:, None] + k[None]) / 14)
        q = q.expand_as(z).clone()
        q[..., 0, 0] = q[..., 0, 0] / 3
        a = z.abs() / q
        z = torch.where(a > 0.66, torch.floor(a + 0.4), torch.zeros_like(a)) * q * z.sign()
        z = t.T @ z @ t
        return z.permute(0, 1, 2, 4, 3, 5).reshape(n, c, h + hh, w + ww)[:, :, :h, :w]
