#include "board.h"
#include "guard.h"

#include <opencv2/calib3d.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>

#define VISION_OPENCV (CV_VERSION_MAJOR * 100 + CV_VERSION_MINOR)
#if VISION_OPENCV >= 407
#include <opencv2/objdetect/charuco_detector.hpp>
#else
#include <opencv2/aruco/charuco.hpp>
#endif

static const auto kMarkers = cv::aruco::DICT_5X5_100;

// drawn and found are the two uses of a board, which OpenCV 4.7 gave other names.
#if VISION_OPENCV >= 407
static cv::aruco::CharucoBoard board(int cols, int rows, float marker) {
    return cv::aruco::CharucoBoard(cv::Size(cols, rows), 1.f, marker, cv::aruco::getPredefinedDictionary(kMarkers));
}

static cv::Mat drawn(int cols, int rows, float marker, cv::Size size, int margin) {
    cv::Mat img;
    board(cols, rows, marker).generateImage(size, img, margin, 1);
    return img;
}

static void found(const cv::Mat &img, int cols, int rows, float marker, std::vector<cv::Point2f> &at, std::vector<int> &which) {
    cv::aruco::CharucoDetector(board(cols, rows, marker)).detectBoard(img, at, which);
}
#else
static cv::Ptr<cv::aruco::CharucoBoard> board(int cols, int rows, float marker) {
    return cv::aruco::CharucoBoard::create(cols, rows, 1.f, marker, cv::aruco::getPredefinedDictionary(kMarkers));
}

static cv::Mat drawn(int cols, int rows, float marker, cv::Size size, int margin) {
    cv::Mat img;
    board(cols, rows, marker)->draw(size, img, margin, 1);
    return img;
}

static void found(const cv::Mat &img, int cols, int rows, float marker, std::vector<cv::Point2f> &at, std::vector<int> &which) {
    auto b = board(cols, rows, marker);
    std::vector<std::vector<cv::Point2f>> markers;
    std::vector<int> names;
    cv::aruco::detectMarkers(img, b->dictionary, markers, names);
    if (!names.empty()) cv::aruco::interpolateCornersCharuco(markers, names, img, b, at, which);
}
#endif

template <class T> static T *copied(const std::vector<T> &v) {
    T *p = static_cast<T *>(malloc(std::max<size_t>(1, v.size()) * sizeof(T)));
    if (!p) throw std::bad_alloc();
    std::copy(v.begin(), v.end(), p);
    return p;
}

static std::vector<float> flat(const std::vector<cv::Point2f> &ps) {
    std::vector<float> out;
    for (const auto &p : ps) {
        out.push_back(p.x);
        out.push_back(p.y);
    }
    return out;
}

extern "C" char *vision_board_draw(int cols, int rows, float marker, int px, int margin, int *w, int *h, unsigned char **out) {
    return guard([&]() -> char * {
        cv::Mat img = drawn(cols, rows, marker, cv::Size(cols * px + 2 * margin, rows * px + 2 * margin), margin);
        *w = img.cols;
        *h = img.rows;
        *out = copied(std::vector<unsigned char>(img.datastart, img.dataend));
        return nullptr;
    });
}

extern "C" char *vision_board_find(const unsigned char *gray, int w, int h, int cols, int rows, float marker, int *n, int **ids, float **px) {
    return guard([&]() -> char * {
        cv::Mat img(h, w, CV_8UC1, const_cast<unsigned char *>(gray));
        std::vector<cv::Point2f> at;
        std::vector<int> which;
        found(img, cols, rows, marker, at, which);
        *n = static_cast<int>(which.size());
        *ids = copied(which);
        *px = copied(flat(at));
        return nullptr;
    });
}

extern "C" char *vision_chess_find(const unsigned char *gray, int w, int h, int cols, int rows, int *n, float **px) {
    return guard([&]() -> char * {
        cv::Mat img(h, w, CV_8UC1, const_cast<unsigned char *>(gray));
        std::vector<cv::Point2f> at;
        bool all = cv::findChessboardCorners(img, cv::Size(cols, rows), at, cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK);
        if (!all) at.clear();
        else cv::cornerSubPix(img, at, cv::Size(5, 5), cv::Size(-1, -1), cv::TermCriteria(cv::TermCriteria::EPS + cv::TermCriteria::COUNT, 40, 0.01));
        *n = static_cast<int>(at.size());
        *px = copied(flat(at));
        return nullptr;
    });
}

extern "C" char *vision_lens_fit(int views, const int *counts, const float *at, const float *px, int w, int h, double *lens, double *dev, double *poses) {
    return guard([&]() -> char * {
        std::vector<std::vector<cv::Point3f>> object(views);
        std::vector<std::vector<cv::Point2f>> image(views);
        for (int v = 0, k = 0; v < views; v++)
            for (int i = 0; i < counts[v]; i++, k += 2) {
                object[v].push_back(cv::Point3f(at[k], at[k + 1], 0));
                image[v].push_back(cv::Point2f(px[k], px[k + 1]));
            }
        cv::Mat K, D, devIn, devOut, each;
        std::vector<cv::Mat> r, t;
        cv::calibrateCamera(object, image, cv::Size(w, h), K, D, r, t, devIn, devOut, each);
        const double l[9] = {K.at<double>(0, 0), K.at<double>(1, 1), K.at<double>(0, 2), K.at<double>(1, 2),
                             D.at<double>(0), D.at<double>(1), D.at<double>(2), D.at<double>(3), D.at<double>(4)};
        for (int i = 0; i < 9; i++) {
            lens[i] = l[i];
            dev[i] = devIn.at<double>(i);
        }
        for (int v = 0; v < views; v++)
            for (int i = 0; i < 3; i++) {
                poses[6 * v + i] = r[v].at<double>(i);
                poses[6 * v + 3 + i] = t[v].at<double>(i);
            }
        return nullptr;
    });
}
