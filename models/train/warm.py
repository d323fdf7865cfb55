"""Takes up training from exported networks, whose batch norms were folded away."""
import onnx
import torch
import torch.nn as nn
from onnx import numpy_helper


def take_up(net, path, x, narrow=None):
    """Gives a network the weights of an exported one of the same shape, or of half its
    width, such as narrow() makes; x are pictures of its training."""
    width = len(_layers(path)[0][0])
    if narrow and 2 * width == len(next(net.parameters())):
        half = narrow()
        _adopt(half, path, x)
        double(net, half)
    else:
        _adopt(net, path, x)


@torch.no_grad()
def double(net, half):
    """Gives a network the weights of one of half its width: each channel twice, drawn on
    unevenly, so that the copies part while it learns."""
    kinds = nn.Conv2d, nn.BatchNorm2d
    for mine, its in zip(*([m for m in n.modules() if isinstance(m, kinds)] for n in (net, half))):
        if isinstance(mine, nn.BatchNorm2d):
            for name in ("weight", "bias", "running_mean", "running_var"):
                getattr(mine, name).copy_(getattr(its, name).repeat(2))
            continue
        w = its.weight
        if len(mine.weight) == 2 * len(w):
            w = w.repeat(2, 1, 1, 1)
        if mine.weight.shape[1] == 2 * w.shape[1]:
            share = torch.rand(*w.shape[:2], 1, 1) * 1.2 - 0.1
            w = torch.cat([w * share, w * (1 - share)], 1)
        mine.weight.copy_(w + torch.randn_like(w) * w.std() * 0.08)
        if mine.bias is not None:
            mine.bias.copy_(its.bias)


def _layers(path):
    """Weight and bias of each layer of an exported network."""
    graph = onnx.load(path).graph
    w = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    for n in graph.node:  # equal weights, as of layers hardly trained, are written once
        if n.op_type == "Identity" and n.input[0] in w: w[n.output[0]] = w[n.input[0]]
    return [(w[n.input[1]], w[n.input[2]]) for n in graph.node if n.op_type in ("Conv", "Gemm")]


@torch.no_grad()
def _adopt(net, path, x):
    said = _layers(path)
    added = {m for r in net.modules() if getattr(r, "added", False) for m in r.modules()}  # they add nothing yet
    mine = [m for m in net.modules() if isinstance(m, (nn.Conv2d, nn.Linear)) and m not in added]
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d) and m not in added]
    for k, (m, (weight, bias)) in enumerate(zip(mine, said)):
        m.weight.copy_(weight)
        if m.bias is not None:
            m.bias.copy_(bias)
        if k < len(norms):  # make the norm the bias that it was folded into
            seen = []
            hook = m.register_forward_hook(lambda _m, _i, o, seen=seen: seen.append(o))
            net.eval()(x)
            hook.remove()
            mean, var = seen[0].mean((0, 2, 3)), seen[0].var((0, 2, 3))
            n = norms[k]
            n.running_mean.copy_(mean), n.running_var.copy_(var)
            n.weight.copy_((var + n.eps).sqrt()), n.bias.copy_(mean + bias)
    net.train()
