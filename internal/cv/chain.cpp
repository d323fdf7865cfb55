#include "chain.h"

#include <omp.h>
#include <opencv2/dnn/all_layers.hpp>

#include <algorithm>
#include <climits>

namespace chain {

using dnnl::memory;
typedef memory::desc Desc;
typedef memory::format_tag Tag;

static const auto kFloat = memory::data_type::f32;
static const size_t kPlans = 24;   // sizes of picture that a chain remembers
static const int kPrimitives = 64; // that oneDNN itself remembers, for the whole process

static const dnnl::engine &processor() {
    static const dnnl::engine e = [] {
        dnnl::set_primitive_cache_capacity(kPrimitives);
        return dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return e;
}

bool supported() { return int(dnnl::get_effective_cpu_isa()) >= int(dnnl::cpu_isa::avx2); }

// plain describes values in the order of an ONNX file.
static Desc plain(const memory::dims &sizes) { return Desc(sizes, kFloat, sizes.size() == 4 ? Tag::abcd : Tag::ab); }

// any leaves the order to oneDNN.
static Desc any(const memory::dims &sizes) { return Desc(sizes, kFloat, Tag::any); }

// Step is a primitive of oneDNN: a layer or a change of order between two.
struct Step {
    dnnl::primitive make;
    Desc from, to, scratch;
    memory weights, bias; // none in a change of order
};

struct Chain::Plan {
    int h, w;
    std::vector<Step> steps;
    std::vector<int> shape; // of the output of one picture
    size_t map, scratch;    // bytes that the largest step needs
};

// packed gives a layer's weights, of the given sizes, in the order that want says.
static memory packed(Layer &l, const Desc &want, const memory::dims &sizes) {
    for (auto &m : l.packed)
        if (m.get_desc() == want) return m;
    memory in(plain(sizes), processor(), l.weights.data), out(want, processor());
    dnnl::stream s(processor());
    dnnl::reorder(in, out).execute(s, in, out);
    s.wait();
    l.packed.push_back(out);
    return out;
}

// reorder adds a change of order where what the last step gave lies otherwise.
static void reorder(std::vector<Step> &steps, Desc &at, const Desc &want) {
    if (at == want) return;
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::reorder::primitive_desc d(processor(), at, processor(), want, attr);
    steps.push_back({dnnl::reorder(d), at, want, d.scratchpad_desc(), {}, {}});
    at = want;
}

// add adds a layer as oneDNN's primitive P, with weights of the given sizes.
template <class P> static void add(std::vector<Step> &steps, Desc &at, Layer &l, const typename P::desc &what, const memory::dims &weights) {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (l.relu) {
        dnnl::post_ops ops;
        ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
        attr.set_post_ops(ops);
    }
    typename P::primitive_desc d(what, attr, processor());
    reorder(steps, at, d.src_desc());
    at = d.dst_desc();
    steps.push_back({P(d), d.src_desc(), at, d.scratchpad_desc(), packed(l, d.weights_desc(), weights),
                     memory(d.bias_desc(), processor(), l.biases.data)});
}

// make plans the steps for pictures of h x w.
std::shared_ptr<Chain::Plan> Chain::make(int h, int w) {
    const auto infer = dnnl::prop_kind::forward_inference;
    std::shared_ptr<Plan> p(new Plan{h, w, {}, {}, 0, 0});
    memory::dims size{1, layers_[0].in, h, w};
    Desc at(size, kFloat, Tag::nhwc);
    for (auto &l : layers_) {
        const Desc in = any(size), bias({l.out}, kFloat, Tag::a);
        memory::dims weights = size;
        weights[0] = l.out;
        if (l.linear) {
            if (plain(weights).get_size() != l.weights.total() * sizeof(float)) CV_Error(cv::Error::StsBadSize, "the picture has another size than the network");
            size = {1, l.out};
            add<dnnl::inner_product_forward>(p->steps, at, l, {infer, in, any(weights), bias, any(size)}, weights);
            continue;
        }
        weights[2] = weights[3] = l.kernel;
        size = {1, l.out, l.side(int(size[2])), l.side(int(size[3]))};
        if (size[2] < 1 || size[3] < 1) CV_Error(cv::Error::StsBadSize, "the picture is too small for the network");
        const memory::dims stride{l.stride, l.stride}, hole{l.hole - 1, l.hole - 1}, pad{l.pad, l.pad};
        add<dnnl::convolution_forward>(p->steps, at, l,
            {infer, dnnl::algorithm::convolution_direct, in, any(weights), bias, any(size), stride, hole, pad, pad}, weights);
    }
    reorder(p->steps, at, plain(size));
    p->shape.assign(size.begin(), size.end());
    for (auto &s : p->steps) {
        p->map = std::max({p->map, s.from.get_size(), s.to.get_size()});
        p->scratch = std::max(p->scratch, s.scratch.get_size());
    }
    if (std::max(p->map, p->scratch) > INT_MAX) CV_Error(cv::Error::StsBadSize, "the picture is too large");
    return p;
}

// plan gives the plan of a size, one made before where there is one.
std::shared_ptr<Chain::Plan> Chain::plan(int h, int w) {
    std::lock_guard<std::mutex> lock(mu_);
    auto known = std::find_if(plans_.begin(), plans_.end(), [&](const std::shared_ptr<Plan> &p) { return p->h == h && p->w == w; });
    if (known == plans_.end()) {
        plans_.push_front(make(h, w));
        if (plans_.size() > kPlans) plans_.pop_back();
    } else {
        plans_.splice(plans_.begin(), plans_, known);
    }
    return plans_.front();
}

std::unique_ptr<Chain> Chain::of(cv::dnn::Net &net) {
    std::unique_ptr<Chain> c(new Chain);
    if (!supported() || !c->read(net)) return nullptr;
    return c;
}

// square tells whether a size is n each way.
static bool square(const std::vector<size_t> &v, int &n) {
    if (v.size() != 2 || v[0] != v[1]) return false;
    n = int(v[0]);
    return true;
}

// takeOver takes a layer's weights.
static bool takeOver(const cv::dnn::Layer &c, int &channels, Layer &l) {
    l.weights = c.blobs[0];
    l.biases = c.blobs.size() > 1 ? c.blobs[1] : cv::Mat::zeros(1, l.out, CV_32F);
    channels = l.out;
    return l.weights.isContinuous() && l.biases.isContinuous() && l.biases.type() == CV_32F && l.biases.total() == size_t(l.out);
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
    return takeOver(c, channels, l);
}

static bool readConnected(const cv::dnn::Layer &c, int &channels, Layer &l) {
    if (c.blobs.empty() || c.blobs[0].dims != 2 || c.blobs[0].type() != CV_32F || !channels) return false;
    l.linear = true;
    l.out = c.blobs[0].size[0];
    l.in = c.blobs[0].size[1];
    if (l.in % channels) return false;
    return takeOver(c, channels, l);
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
    return !layers_.empty() && !layers_[0].linear;
}

// fit makes a room of at least so many bytes.
static void fit(cv::Mat &m, size_t bytes) {
    if (m.total() < bytes) m.create(1, int(bytes), CV_8U);
}

std::unique_ptr<Chain::Room> Chain::take(const Plan &p) {
    std::unique_ptr<Room> r;
    {
        std::lock_guard<std::mutex> lock(mu_);
        if (!rooms_.empty()) {
            r = std::move(rooms_.back());
            rooms_.pop_back();
        }
    }
    if (!r) r.reset(new Room);
    fit(r->from, p.map);
    fit(r->to, p.map);
    fit(r->scratch, p.scratch);
    return r;
}

// kKept is the size of a room, in bytes, above which it is not kept for the next picture.
static const size_t kKept = 96 << 20;

void Chain::give(std::unique_ptr<Room> r) {
    if (r->from.total() + r->to.total() + r->scratch.total() > kKept) return;
    std::lock_guard<std::mutex> lock(mu_);
    rooms_.push_back(std::move(r));
}

// input lays picture i out for the first layer: all channels of a pixel together.
void Chain::input(const Pictures &in, int i, int h, int w, float *to) const {
    const size_t plane = size_t(h) * w, values = plane * in.channels;
    if (in.bytes) {
        cv::Mat out(1, int(values), CV_32F, to);
        cv::Mat(1, int(values), CV_8U, const_cast<unsigned char *>(in.bytes) + i * values).convertTo(out, CV_32F, scale_ / 255., shift_);
        return;
    }
    for (int c = 0; c < in.channels; c++)
        for (size_t k = 0; k < plane; k++) to[k * in.channels + c] = in.planes[i * values + c * plane + k] * scale_ + shift_;
}

// pass runs the steps for the picture in from.
static void pass(const std::vector<Step> &steps, dnnl::stream &stream, cv::Mat &from, cv::Mat &to, cv::Mat &scratch, float *out) {
    for (auto &s : steps) {
        void *result = &s == &steps.back() ? static_cast<void *>(out) : to.data;
        s.make.execute(stream, {{DNNL_ARG_SRC, memory(s.from, processor(), from.data)},
                                {DNNL_ARG_DST, memory(s.to, processor(), result)},
                                {DNNL_ARG_WEIGHTS, s.weights},
                                {DNNL_ARG_BIAS, s.bias},
                                {DNNL_ARG_SCRATCHPAD, memory(s.scratch, processor(), scratch.data)}});
        cv::swap(from, to);
    }
    stream.wait();
}

cv::Mat Chain::run(const Pictures &in, int n, int h, int w) {
    if (in.channels != layers_[0].in) CV_Error(cv::Error::StsBadSize, "the picture has another number of channels than the network");
    omp_set_num_threads(1); // of oneDNN within a picture: its own would come on top of OpenCV's
    auto p = plan(h, w);
    auto shape = p->shape;
    shape[0] = n;
    cv::Mat out(int(shape.size()), shape.data(), CV_32F);
    const size_t size = out.total() / n;
    cv::parallel_for_(cv::Range(0, n), [&](const cv::Range &some) {
        omp_set_num_threads(1);
        dnnl::stream stream(processor());
        auto room = take(*p);
        for (int i = some.start; i < some.end; i++) {
            input(in, i, h, w, room->from.ptr<float>());
            pass(p->steps, stream, room->from, room->to, room->scratch, out.ptr<float>() + size * i);
        }
        give(std::move(room));
    });
    return out;
}

}  // namespace chain
