"""The part of the network of sides that names the kinds of chips, and the model of their order by which it learns.

Light multiplies colours, so colours are compared as logarithms of linear light: what the light is of, is then added to all
chips of a column alike. Each place is compared with each kind of the palette, kinds by the same weights; what is likeliest
everywhere gives the light, and all is compared again without it.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

DARK = 0.01  # of linear light, that a camera hardly tells from none
PURE, TURN = 0.6, 0.3  # as recognize/stack/parameters.go


def linear(rgb):
    """Colours (0 to 1, sRGB) as linear light."""
    return rgb.clamp(min=1e-4) ** 2.2


class Compared(nn.Module):
    """What speaks for each kind in each row, by its places: thin maps of places against a palette, their means and maxima."""

    def __init__(self, thin):
        super().__init__()
        self.place, self.colour = nn.Conv2d(4, thin, 1), nn.Linear(6, thin)
        self.near = nn.Parameter(torch.tensor([-3.5, -1.5, -1.0]))  # logarithms of variances: of a colour's hue, fine and coarse, and of its brightness
        self.far = nn.Conv2d(8, thin, 1, bias=False)
        self.mixed, self.norm = nn.Conv2d(thin, thin, 1, bias=False), nn.BatchNorm2d(thin)
        self.spot = nn.Conv2d(thin, 1, 1)
        nn.init.zeros_(self.far.weight)

    def forward(self, x, seen, palette):
        """Of places (n x 3 x rows x columns), how much of each is seen, and a palette (n x k x 6), all but that as logarithms: (n k) x 2 thin x rows, and how much each is of its kind's second colour."""
        n, k, high, wide = x.shape[0], palette.shape[1], x.shape[2], x.shape[3]
        a = self.place(torch.cat([x, seen], 1))[:, None] + self.colour(palette)[..., None, None]
        a = a.reshape(n * k, -1, high, wide) + self.far(torch.cat([self.likeness(x, palette[:, :, :3]), self.likeness(x, palette[:, :, 3:])], 1))
        a = F.relu(self.norm(self.mixed(F.relu(a))))
        seen = seen[:, None].expand(-1, k, -1, -1, -1).reshape(n * k, 1, high, wide)
        rows = torch.cat([(a * seen).sum(3) / (seen.sum(3) + 0.1), (a * seen).amax(3)], 1)
        return rows, self.spot(a).sigmoid().reshape(n, k, high, wide)

    def likeness(self, x, colour):
        """How like places are to colours (n x k x 3): by hue, by hue and brightness, and how much brighter they are; (n k) x 4 x rows x columns."""
        off = x[:, None] - colour[..., None, None]
        light = off.mean(2, keepdim=True)
        hue = ((off - light) ** 2).sum(2, keepdim=True)
        fine, coarse, bright = torch.exp(-self.near)
        out = torch.cat([torch.exp(-hue * fine), torch.exp(-hue * coarse), torch.exp(-hue * coarse - light ** 2 * bright), torch.tanh(light)], 2)
        return out.flatten(0, 1)


class Kinds(nn.Module):
    """Sides (n x 4 x rows x columns, 0 to 1), what the body of the network makes of their rows (n x wide x rows / 2), how much each of these is of chips (n x 1 x rows / 2) and palettes (n x k x 6) to kinds and upper of Sides."""

    def __init__(self, wide, above, chip, thin=16, like=32):
        super().__init__()
        self.above, self.chip = above // 2, chip // 2
        self.first, self.second = Compared(thin), Compared(thin)
        self.row = nn.Conv1d(2 * thin, like, 3, 1, 1)
        self.body, self.score = nn.Conv1d(wide, like, 1), nn.Conv1d(like, 1, 1)
        self.again, self.norm = nn.Conv1d(2 * thin + like, like, 3, 1, 1, bias=False), nn.BatchNorm1d(like)
        self.whole = nn.Conv1d(like, like, self.chip)
        self.like, self.none = nn.Conv1d(like, 1, 1), nn.Conv1d(2 * like, 1, 1)
        self.crown = nn.Sequential(nn.Linear((2 * thin + like) * (self.above - 2), like), nn.ReLU(), nn.Linear(like, 1))

    def forward(self, side, body, on, palette, known):
        n, k = palette.shape[:2]
        seen = 1 - F.avg_pool2d(side[:, 3:], 2)
        x = torch.log(F.avg_pool2d(linear(side[:, :3]), 2) + DARK)
        p = torch.log(linear(palette) + DARK)
        rows, spot = self.first(x, seen, p)
        body = self.body(body)[:, None].expand(-1, k, -1, -1).reshape(n * k, -1, rows.shape[2])
        rows = F.relu(self.row(rows) + body)
        score = self.score(rows).reshape(n, k, -1)
        if known is not None:
            score = score.masked_fill((torch.arange(k)[None] >= known[:, None])[..., None], -1e4)
        share = (score.softmax(1) * on)[..., None] * seen  # of each place, that it is of a chip of each kind
        own = p[:, :, :3, None, None] * (1 - spot[:, :, None]) + p[:, :, 3:, None, None] * spot[:, :, None]
        light = (share[:, :, None] * (x[:, None] - own)).sum((1, 3)) / (share.sum((1, 2))[:, None] + 0.1)
        more, _ = self.second(x - light[:, :, None], seen, p)
        rows = F.relu(self.norm(self.again(torch.cat([rows, more], 1))))
        crown = torch.cat([rows, more], 1)[:, :, :self.above - 2].reshape(n, k, -1)
        chips = F.relu(self.whole(rows))
        of = chips.reshape(n, k, chips.shape[1], -1)
        none = self.none(torch.cat([of.mean(1), of.amax(1)], 1)).transpose(1, 2)
        kinds = self.like(chips).reshape(n, k, -1).transpose(1, 2)
        return torch.cat([kinds, none], 2), F.pad(self.crown(crown)[..., 0], (0, 1))


def unlikely(kinds, chip, known):
    """Minus the log probability of the kinds chip (n x chips, -1 beyond the last) by the logits kinds (n x chips x k + 1, the last none of a palette's known ones), with the order that stacks have (path in recognize/stack/decode.go)."""
    there = chip >= 0
    turn = (TURN / known.float())[:, None]
    still, turn = torch.log(1 - TURN - turn), torch.log(turn)  # the sum over all kinds holds one's own, too
    now = kinds[:, 0]
    whole = (kinds * there[..., None]).sum(1)
    at = chip.clamp(min=0)
    own = kinds.gather(2, at[..., None])[..., 0] * there
    steps = torch.zeros_like(own[:, 0])
    for i in range(1, kinds.shape[1]):
        onward = torch.logaddexp(now + still, torch.logsumexp(now, 1, keepdim=True) + turn) + kinds[:, i]
        now = torch.where(there[:, i:i + 1], onward, now)
        same = chip[:, i] == chip[:, i - 1]
        steps = steps + torch.where(same, torch.full_like(steps, math.log(1 - TURN)), turn[:, 0]) * there[:, i]
    total = torch.logsumexp(torch.stack([math.log(PURE) + torch.logsumexp(whole, 1), math.log(1 - PURE) + torch.logsumexp(now, 1)]), 0)
    pure = ((chip == chip[:, :1]) | ~there).all(1)
    mixed = math.log(1 - PURE) + own.sum(1) + steps
    both = torch.logaddexp(math.log(PURE) + own.sum(1), mixed)
    return total - torch.where(pure, both, mixed)
