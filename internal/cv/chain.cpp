#include "chain.h"

#include <opencv2/dnn/all_layers.hpp>

#include <algorithm>
#include <cstring>

namespace chain {

// Slack behind a picture: a row's last tile reads pixels that do not count.
static const size_t kSlack = 64 * 32;

// Map is a picture of c channels in blocks, with a border of pad zeros.
struct Chain::Map {
    float *at;
    int channels, h, w, pad, block; // block: channels to a block
    long line() const { return long(w + 2 * pad) * block; }
    long plane() const { return (h + 2 * pad) * line(); }
    int blocks() const { return (channels + block - 1) / block; }
    size_t size() const { return size_t(blocks()) * plane(); }
    float *pixel(int b, int y, int x) const { return at + b * plane() + (y + pad) * line() + long(x + pad) * block; }

    // make lays the picture out in room and blanks its border.
    void make(std::vector<float> &room) {
        if (room.size() < size() + kSlack) room.resize(size() + kSlack);
        at = room.data();
        std::fill(at + size(), at + size() + kSlack, 0.f);
        for (int b = 0; b < blocks() && pad; b++) {
            float *p = at + b * plane();
            std::fill(p, p + pad * line(), 0.f);
            std::fill(p + (h + pad) * line(), p + plane(), 0.f);
            for (int y = pad; y < h + pad; y++) {
                std::fill(p + y * line(), p + y * line() + pad * block, 0.f);
                std::fill(p + (y + 1) * line() - pad * block, p + (y + 1) * line(), 0.f);
            }
        }
    }
};

// pack puts the weights in the order in which the engine wants them: by group of
// blocks, place of the kernel, channel, output.
void Layer::pack(const Engine &e) {
    const int block = in < kBlock && !linear ? std::max(in, 1) : kBlock;
    const int maps = linear ? mapIn : in, places = linear ? in / mapIn : kernel * kernel;
    const float *w = weights.ptr<float>(), *b = biases.empty() ? nullptr : biases.ptr<float>();
    packed.clear();
    bias.assign(size_t(blocks()) * kBlock, 0.f);
    if (b) std::copy(b, b + out, bias.begin());
    for (int first = 0; first < blocks();) {
        const int group = e.group(blocks() - first);
        for (int m = 0; m < maps; m += block)
            for (int p = 0; p < places; p++)
                for (int c = m; c < std::min(maps, m + block); c++)
                    for (int o = first * kBlock; o < (first + group) * kBlock; o++)
                        packed.push_back(o < out ? w[(size_t(o) * maps + c) * places + p] : 0.f);
        first += group;
    }
    weights.release();
    biases.release();
}

std::unique_ptr<Chain> Chain::of(cv::dnn::Net &net, const Engine &e) {
    std::unique_ptr<Chain> c(new Chain);
    if (!c->read(net)) return nullptr;
    for (auto &l : c->layers_) l.pack(e);
    c->engine_ = e;
    return c;
}

// square tells whether a size is n each way.
static bool square(const std::vector<size_t> &v, int &n) {
    if (v.size() != 2 || v[0] != v[1]) return false;
    n = int(v[0]);
    return true;
}

static bool readConvolution(const cv::dnn::BaseConvolutionLayer &c, int &channels, Layer &l) {
    if (c.blobs.empty() || c.blobs[0].dims != 4 || c.blobs[0].type() != CV_32F || !c.padMode.empty()) return false;
    int begin = 0, end = 0;
    if (!square(c.kernel_size, l.kernel) || !square(c.strides, l.stride) || !square(c.dilations, l.hole) ||
        !square(c.pads_begin, begin) || !square(c.pads_end, end) || begin != end)
        return false;
    l.pad = begin;
    l.out = c.blobs[0].size[0];
    l.in = c.blobs[0].size[1];
    if (channels && channels != l.in) return false; // in groups
    l.weights = c.blobs[0].clone();
    if (c.blobs.size() > 1) l.biases = c.blobs[1].clone();
    channels = l.out;
    return true;
}

static bool readConnected(const cv::dnn::Layer &c, int &channels, Layer &l) {
    if (c.blobs.empty() || c.blobs[0].dims != 2 || c.blobs[0].type() != CV_32F || !channels) return false;
    l.linear = true;
    l.out = c.blobs[0].size[0];
    l.in = c.blobs[0].size[1];
    l.mapIn = channels;
    if (l.in % l.mapIn) return false;
    l.weights = c.blobs[0].clone();
    if (c.blobs.size() > 1) l.biases = c.blobs[1].clone();
    channels = l.out;
    return true;
}

// read takes the layers over in their order: since each has one input and the
// network one output, it is a chain.
bool Chain::read(cv::dnn::Net &net) {
    int channels = 0;
    bool flat = false;
    if (net.getUnconnectedOutLayers().size() != 1) return false;
    for (const auto &name : net.getLayerNames()) {
        auto layer = net.getLayer(net.getLayerId(name));
        if (layer->type == "Identity" || layer->type == "Dropout") continue;
        if (layer->type == "Flatten") {
            flat = true;
        } else if (auto power = layer.dynamicCast<cv::dnn::PowerLayer>()) {
            if (!layers_.empty() || power->power != 1) return false;
            scale_ *= power->scale;
            shift_ = shift_ * power->scale + power->shift;
        } else if (auto relu = layer.dynamicCast<cv::dnn::ReLULayer>()) {
            if (layers_.empty() || relu->negativeSlope != 0) return false;
            layers_.back().relu = true;
        } else if (auto c = layer.dynamicCast<cv::dnn::BaseConvolutionLayer>()) {
            Layer l;
            if (flat || layer->type != "Convolution" || !readConvolution(*c, channels, l)) return false;
            layers_.push_back(l);
        } else if (layer->type == "InnerProduct") {
            Layer l;
            if (!flat || !readConnected(*layer, channels, l)) return false;
            layers_.push_back(l);
        } else {
            return false;
        }
    }
    // the first layer's picture is packed as it comes, all others' in blocks
    return !layers_.empty() && !layers_[0].linear && layers_[0].in <= 4;
}

// each runs f(0) to f(n-1), on OpenCV's threads where split is set.
template <class F> static void each(int n, bool split, F f) {
    if (!split || n < 2) {
        for (int i = 0; i < n; i++) f(i);
        return;
    }
    cv::parallel_for_(cv::Range(0, n), [&](const cv::Range &r) {
        for (int i = r.start; i < r.end; i++) f(i);
    }, std::min(n, 4 * cv::getNumThreads()));
}

std::unique_ptr<Chain::Room> Chain::take() {
    std::lock_guard<std::mutex> lock(mu_);
    if (rooms_.empty()) return std::unique_ptr<Room>(new Room);
    auto r = std::move(rooms_.back());
    rooms_.pop_back();
    return r;
}

void Chain::give(std::unique_ptr<Room> r) {
    std::lock_guard<std::mutex> lock(mu_);
    rooms_.push_back(std::move(r));
}

// input lays picture i out for the first layer: all channels of a pixel together.
Chain::Map Chain::input(const Pictures &in, int i, int h, int w, std::vector<float> &room) const {
    const int channels = in.channels;
    const size_t from = size_t(i) * channels * h * w;
    Map m{nullptr, channels, h, w, layers_[0].pad, kFirst};
    m.make(room);
    float level[256];
    for (int v = 0; v < 256; v++) level[v] = float(v) / 255 * scale_ + shift_;
    for (int y = 0; y < h; y++) {
        float *to = m.pixel(0, y, 0);
        if (in.bytes) {
            const unsigned char *px = in.bytes + from + size_t(y) * w * channels;
            for (int x = 0; x < w; x++, px += channels)
                for (int c = 0; c < channels; c++) to[x * kFirst + c] = level[px[c]];
            continue;
        }
        for (int c = 0; c < channels; c++) {
            const float *row = in.planes + from + (size_t(c) * h + y) * w;
            for (int x = 0; x < w; x++) to[x * kFirst + c] = row[x] * scale_ + shift_;
        }
    }
    return m;
}

// convolve makes the output of a layer, with a border of pad for the next.
Chain::Map Chain::convolve(const Layer &l, const Map &in, int pad, std::vector<float> &room, bool split) const {
    Map out{nullptr, l.blocks() * kBlock, l.side(in.h), l.side(in.w), pad, kBlock};
    out.make(room);
    std::vector<Tap> taps;
    for (int b = 0; b < in.blocks(); b++)
        for (int y = 0; y < l.kernel; y++)
            for (int x = 0; x < l.kernel; x++)
                taps.push_back({int(b * in.plane() + y * l.hole * in.line() + x * l.hole * in.block), std::min(in.block, l.in - b * in.block)});
    each(out.h, split, [&](int y) {
        engine_.row(Row{in.pixel(0, y * l.stride - l.pad, -l.pad), long(l.stride) * in.block, taps.data(), int(taps.size()),
                        out.pixel(0, y, 0), kBlock, out.plane(), out.w, l.blocks(), l.packed.data(), l.bias.data(), l.relu});
    });
    return out;
}

// planes takes a picture out of its blocks.
static void planes(const float *from, long plane, int channels, int pixels, float *to) {
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < pixels; i++) to[size_t(c) * pixels + i] = from[c / kBlock * plane + i * kBlock + c % kBlock];
}

// connect runs the fully connected layers from first on over all n pictures'
// features, which lie stride floats apart.
cv::Mat Chain::connect(size_t first, std::vector<float> &features, long stride, int n, int pixels) const {
    std::vector<float> other;
    for (size_t i = first; i < layers_.size(); i++) {
        const Layer &l = layers_[i];
        const long next = long(l.blocks()) * kBlock;
        other.assign(next * n, 0.f);
        std::vector<Tap> taps;
        const int blocks = (l.mapIn + kBlock - 1) / kBlock;
        for (int b = 0; b < blocks; b++)
            for (int p = 0; p < pixels; p++) taps.push_back({(b * pixels + p) * kBlock, std::min(kBlock, l.mapIn - b * kBlock)});
        features.resize(stride * n + stride * kMostPixels, 0.f); // a tile reads pictures that do not count
        engine_.row(Row{features.data(), stride, taps.data(), int(taps.size()), other.data(), next, kBlock, n, l.blocks(), l.packed.data(), l.bias.data(), l.relu});
        features.swap(other);
        stride = next;
        pixels = 1;
    }
    const int size = layers_.back().out;
    cv::Mat out(n, size, CV_32F);
    for (int i = 0; i < n; i++) std::copy_n(features.data() + i * stride, size, out.ptr<float>(i));
    return out;
}

cv::Mat Chain::run(const Pictures &in, int n, int h, int w) {
    if (in.channels != layers_[0].in) CV_Error(cv::Error::StsBadSize, "the picture has another number of channels than the network");
    size_t convs = 0;
    int oh = h, ow = w;
    for (; convs < layers_.size() && !layers_[convs].linear; convs++) {
        oh = layers_[convs].side(oh);
        ow = layers_[convs].side(ow);
        if (oh < 1 || ow < 1) CV_Error(cv::Error::StsBadSize, "the picture is too small for the network");
    }
    const Layer &last = layers_[convs - 1];
    const bool linear = convs < layers_.size();
    if (linear && layers_[convs].in != last.out * oh * ow) CV_Error(cv::Error::StsBadSize, "the picture has another size than the network");
    const long stride = long(last.blocks()) * kBlock * oh * ow;
    cv::Mat out;
    std::vector<float> features;
    if (linear) {
        features.resize(stride * n);
    } else {
        const int size[] = {n, last.out, oh, ow};
        out.create(4, size, CV_32F);
    }
    const bool many = n > 1; // then each thread takes pictures, else rows of one
    each(n, many, [&](int i) {
        auto room = take();
        Map m = input(in, i, h, w, room->a);
        for (size_t k = 0; k < convs; k++) {
            m = convolve(layers_[k], m, k + 1 < convs ? layers_[k + 1].pad : 0, room->b, !many);
            room->a.swap(room->b);
        }
        if (linear) std::copy_n(m.at, stride, features.data() + i * stride);
        else planes(m.at, m.plane(), last.out, oh * ow, out.ptr<float>(i));
        give(std::move(room));
    });
    return linear ? connect(convs, features, stride, n, oh * ow) : out;
}

}  // namespace chain
