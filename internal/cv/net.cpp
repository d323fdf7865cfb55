#include "net.h"
#include "chain.h"
#include "guard.h"

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

// Network is run by its chain where it is one, else by OpenCV; never by both.
struct Network {
    cv::dnn::Net net;
    std::unique_ptr<chain::Chain> chain;

    cv::Mat forward(const cv::Mat &in) {
        if (chain && in.dims != 4) CV_Error(cv::Error::StsBadSize, "the input has not four dimensions");
        if (chain) return chain->run({in.ptr<float>(), nullptr, in.size[1]}, in.size[0], in.size[2], in.size[3]);
        net.setInput(in);
        return net.forward();
    }

    cv::Mat pictures(const unsigned char *px, int n, int h, int w) {
        if (chain) return chain->run({nullptr, px, 3}, n, h, w);
        std::vector<cv::Mat> all;
        for (int i = 0; i < n; i++) all.push_back(cv::Mat(h, w, CV_8UC3, const_cast<unsigned char *>(px) + size_t(i) * h * w * 3));
        net.setInput(cv::dnn::blobFromImages(all, 1 / 255.));
        return net.forward();
    }
};

// give hands a network's output to C.
static char *give(cv::Mat r, float **out, int *out_shape, int *out_dims) {
    if (r.type() != CV_32F) return text("the output is not of 32 bit floats");
    if (r.dims > 4) return text("the output has more than four dimensions");
    if (!r.isContinuous()) r = r.clone();
    size_t bytes = r.total() * sizeof(float);
    *out = static_cast<float *>(malloc(bytes ? bytes : 1));
    if (!*out) return text("out of memory");
    memcpy(*out, r.ptr<float>(), bytes);
    *out_dims = r.dims;
    for (int i = 0; i < r.dims; i++) out_shape[i] = r.size[i];
    return nullptr;
}

extern "C" {

char *vision_net_load(const void *onnx, int len, int chained, vision_net *out) {
    return guard([&]() -> char * {
        std::unique_ptr<Network> n(new Network);
        n->net = cv::dnn::readNetFromONNX(static_cast<const char *>(onnx), len);
        if (n->net.empty()) return text("the network is empty");
        n->net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        n->net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
        if (chained) n->chain = chain::Chain::of(n->net);
        if (n->chain) n->net = cv::dnn::Net();
        *out = n.release();
        return nullptr;
    });
}

char *vision_net_forward(vision_net net, const float *in, const int *shape, int dims,
                         float **out, int *out_shape, int *out_dims) {
    return guard([&]() -> char * {
        return give(static_cast<Network *>(net)->forward(cv::Mat(dims, shape, CV_32F, const_cast<float *>(in))), out, out_shape, out_dims);
    });
}

char *vision_net_pictures(vision_net net, const unsigned char *in, int n, int h, int w,
                          float **out, int *out_shape, int *out_dims) {
    return guard([&]() -> char * { return give(static_cast<Network *>(net)->pictures(in, n, h, w), out, out_shape, out_dims); });
}

int vision_net_chained(vision_net net) { return static_cast<Network *>(net)->chain != nullptr; }

int vision_chains() { return chain::supported(); }

void vision_net_close(vision_net net) { delete static_cast<Network *>(net); }

char *vision_set_threads(int n) {
    return guard([&]() -> char * {
        cv::setNumThreads(n);
        return nullptr;
    });
}

void vision_free(void *p) { free(p); }
}
