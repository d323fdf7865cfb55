#include "net.h"
#include "guard.h"

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

extern "C" {

char *vision_net_load(const void *onnx, int len, vision_net *out) {
    return guard([&]() -> char * {
        cv::dnn::Net n = cv::dnn::readNetFromONNX(static_cast<const char *>(onnx), len);
        if (n.empty()) return text("the network is empty");
        n.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        n.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
        *out = new cv::dnn::Net(n);
        return nullptr;
    });
}

char *vision_net_forward(vision_net net, const float *in, const int *shape, int dims,
                         float **out, int *out_shape, int *out_dims) {
    return guard([&]() -> char * {
        cv::Mat blob(dims, shape, CV_32F, const_cast<float *>(in));
        cv::dnn::Net *n = static_cast<cv::dnn::Net *>(net);
        n->setInput(blob);
        cv::Mat r = n->forward();
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
    });
}

void vision_net_close(vision_net net) { delete static_cast<cv::dnn::Net *>(net); }

char *vision_set_threads(int n) {
    return guard([&]() -> char * {
        cv::setNumThreads(n);
        return nullptr;
    });
}

void vision_free(void *p) { free(p); }
}
