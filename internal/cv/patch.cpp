#include "patch.h"
#include "guard.h"

#include <opencv2/imgproc.hpp>

#include <vector>

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

// Three lines become two, each of its own and half of the middle one; so do three
// pixels of a line. OpenCV does the same, for any ratio, with floats.
extern "C" char *vision_two_thirds(const unsigned char *px, int rows, int cols, unsigned char *out) {
    return guard([&]() -> char * {
        const int line = cols * 3, to = cols / 3 * 2 * 3;
        cv::parallel_for_(cv::Range(0, rows / 3), [&](const cv::Range &part) {
            std::vector<unsigned short> sum(line);
            for (int y = part.start; y < part.end; y++) {
                const unsigned char *middle = px + (size_t(y) * 3 + 1) * line;
                for (int half = 0; half < 2; half++) {
                    const unsigned char *own = half ? middle + line : middle - line;
                    for (int x = 0; x < line; x++) sum[x] = static_cast<unsigned short>(2 * own[x] + middle[x]);
                    unsigned char *o = out + (size_t(y) * 2 + half) * to;
                    for (const unsigned short *s = sum.data(), *end = s + line; s < end; s += 9, o += 6)
                        for (int c = 0; c < 3; c++) {
                            o[c] = static_cast<unsigned char>((2 * s[c] + s[c + 3] + 4) / 9);
                            o[c + 3] = static_cast<unsigned char>((s[c + 3] + 2 * s[c + 6] + 4) / 9);
                        }
                }
            }
        });
        return nullptr;
    });
}
