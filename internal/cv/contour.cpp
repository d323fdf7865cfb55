#include "contour.h"
#include "guard.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>

extern "C" char *vision_contours(const unsigned char *mask, int rows, int cols, vision_contour_limits want,
                                 int **xy, int **lengths, int *count) {
    return guard([&]() -> char * {
        cv::Mat view(rows, cols, CV_8U, const_cast<unsigned char *>(mask)), framed;
        // a border lets what touches the edge of the picture close
        cv::copyMakeBorder(view, framed, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
        std::vector<std::vector<cv::Point>> all, kept;
        cv::findContours(framed, all, cv::RETR_LIST, cv::CHAIN_APPROX_NONE, cv::Point(-1, -1));
        size_t points = 0;
        for (auto &c : all) {
            int n = static_cast<int>(c.size());
            if (n < want.points_min || n > want.points_max) continue;
            cv::Rect r = cv::boundingRect(c);
            if (std::min(r.width, r.height) < want.short_min || std::max(r.width, r.height) > want.long_max) continue;
            points += c.size();
            kept.push_back(std::move(c));
        }
        int *p = static_cast<int *>(malloc(std::max<size_t>(1, points * 2 * sizeof(int))));
        int *n = static_cast<int *>(malloc(std::max<size_t>(1, kept.size() * sizeof(int))));
        if (!p || !n) {
            free(p);
            free(n);
            return text("out of memory");
        }
        *xy = p;
        *lengths = n;
        *count = static_cast<int>(kept.size());
        for (const auto &c : kept) {
            *n++ = static_cast<int>(c.size());
            for (const auto &q : c) {
                *p++ = q.x;
                *p++ = q.y;
            }
        }
        return nullptr;
    });
}

extern "C" char *vision_simplify(int *xy, int n, double tolerance, int *kept) {
    return guard([&]() -> char * {
        std::vector<cv::Point> few;
        cv::approxPolyDP(cv::Mat(n, 1, CV_32SC2, xy), few, tolerance, true);
        *kept = static_cast<int>(std::min<size_t>(few.size(), n));
        for (int i = 0; i < *kept; i++) {
            xy[2 * i] = few[i].x;
            xy[2 * i + 1] = few[i].y;
        }
        return nullptr;
    });
}
