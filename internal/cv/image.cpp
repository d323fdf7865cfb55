#include "image.h"
#include "guard.h"

#include <opencv2/imgcodecs.hpp>

extern "C" char *vision_image_decode(const void *buf, int len, int *rows, int *cols, unsigned char **out) {
    return guard([&]() -> char * {
        cv::Mat raw(1, len, CV_8U, const_cast<void *>(buf));
        cv::Mat img = cv::imdecode(raw, cv::IMREAD_COLOR);
        if (img.empty() || img.type() != CV_8UC3) return text("the picture data cannot be decoded");
        if (!img.isContinuous()) img = img.clone();
        size_t bytes = img.total() * img.elemSize();
        *out = static_cast<unsigned char *>(malloc(bytes));
        if (!*out) return text("out of memory");
        memcpy(*out, img.data, bytes);
        *rows = img.rows;
        *cols = img.cols;
        return nullptr;
    });
}
