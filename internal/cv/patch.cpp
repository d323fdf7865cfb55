#include "patch.h"
#include "guard.h"

#include <opencv2/imgproc.hpp>

static cv::Mat bgr(const unsigned char *px, int rows, int cols) {
    return cv::Mat(rows, cols, CV_8UC3, const_cast<unsigned char *>(px));
}

extern "C" char *vision_patches(const unsigned char *px, int rows, int cols, const float *quads, int n, int w, int h, unsigned char *out) {
    return guard([&]() -> char * {
        const cv::Mat img = bgr(px, rows, cols);
        const cv::Point2f to[] = {{0, 0}, {float(w), 0}, {float(w), float(h)}, {0, float(h)}};
        cv::parallel_for_(cv::Range(0, n), [&](const cv::Range &part) {
            for (int i = part.start; i < part.end; i++) {
                cv::Point2f from[4];
                for (int k = 0; k < 4; k++) from[k] = cv::Point2f(quads[8 * i + 2 * k], quads[8 * i + 2 * k + 1]);
                cv::Mat patch = bgr(out + size_t(i) * w * h * 3, h, w);
                cv::warpPerspective(img, patch, cv::getPerspectiveTransform(from, to), patch.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
            }
        });
        return nullptr;
    });
}

extern "C" char *vision_half(const unsigned char *px, int rows, int cols, unsigned char *out) {
    return guard([&]() -> char * {
        cv::Mat small = bgr(out, rows / 2, cols / 2);
        cv::resize(bgr(px, rows, cols), small, small.size(), 0, 0, cv::INTER_AREA);
        return nullptr;
    });
}
