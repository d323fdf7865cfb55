#include "edge.h"
#include "guard.h"

#include <opencv2/core.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

// The result is cv::Canny's to the pixel, in less than half its time for colours: it keeps no
// gradients of the whole picture and its loops are plain enough for the compiler.
namespace {

#if defined(__x86_64__)
#define WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define WIDE __attribute__((optimize("O3")))
#endif

// columns adds up three lines of n values for the gradients: across and down.
WIDE void columns(const uint8_t *__restrict a, const uint8_t *__restrict b, const uint8_t *__restrict c, int n, int16_t *__restrict smooth, int16_t *__restrict change) {
    for (int i = 0; i < n; i++) {
        smooth[i] = int16_t(a[i] + 2 * b[i] + c[i]);
        change[i] = int16_t(c[i] - a[i]);
    }
}

// lineGradients are those of a line from its columns, which have a pixel more at each end.
WIDE void lineGradients(const int16_t *__restrict smooth, const int16_t *__restrict change, int n, int16_t *__restrict dx, int16_t *__restrict dy, int16_t *__restrict amount) {
    for (int i = 0; i < n; i++) {
        int16_t x = int16_t(smooth[i + 2] - smooth[i]), y = int16_t(change[i] + 2 * change[i + 1] + change[i + 2]);
        dx[i] = x;
        dy[i] = y;
        amount[i] = int16_t((x < 0 ? -x : x) + (y < 0 ? -y : y));
    }
}

// stronger puts the gradients of another channel where they are larger.
WIDE void stronger(const int16_t *__restrict dx, const int16_t *__restrict dy, const int16_t *__restrict amount, int n, int16_t *__restrict toX, int16_t *__restrict toY, int16_t *__restrict to) {
    for (int i = 0; i < n; i++) {
        int16_t more = amount[i] > to[i] ? -1 : 0;
        toX[i] = int16_t((dx[i] & more) | (toX[i] & ~more));
        toY[i] = int16_t((dy[i] & more) | (toY[i] & ~more));
        to[i] = std::max(amount[i], to[i]);
    }
}

// above tells whether any of n values exceeds low.
WIDE bool above(const int16_t *v, int n, int low) {
    int16_t most = 0;
    for (int i = 0; i < n; i++) most = std::max(most, v[i]);
    return most > low;
}

// only marks which of n values are v.
WIDE void only(const uint8_t *__restrict in, int n, uint8_t v, uint8_t *__restrict out) {
    for (int i = 0; i < n; i++) out[i] = in[i] == v ? 255 : 0;
}

// Line is one line's gradients; amount has a zero at each end.
struct Line {
    std::vector<int16_t> dx, dy, amount;
    explicit Line(int n = 0) : dx(n), dy(n), amount(n + 2) {}
};

class Edges {
public:
    Edges(const std::vector<cv::Mat> &planes, int low, int high, uint8_t *out)
        : planes_(planes), rows_(planes[0].rows), cols_(planes[0].cols), low_(low), high_(high), out_(out),
          smooth_(cols_ + 2), change_(cols_ + 2), one_(cols_), map_(size_t(rows_ + 2) * (cols_ + 2)) {
        for (auto &l : lines_) l = Line(cols_);
    }

    void run() {
        fill(0, lines_[1]);
        for (int y = 0; y < rows_; y++) {
            Line &before = lines_[y % 3], &here = lines_[(y + 1) % 3], &after = lines_[(y + 2) % 3];
            if (y == 0) std::fill(before.amount.begin(), before.amount.end(), 0);
            if (y + 1 < rows_) fill(y + 1, after);
            else std::fill(after.amount.begin(), after.amount.end(), 0);
            ridges(y, before.amount.data() + 1, here, after.amount.data() + 1);
        }
        follow();
        for (int y = 0; y < rows_; y++) only(map(y), cols_, kEdge, out_ + size_t(y) * cols_);
    }

private:
    static const int kSpan = 32; // pixels, most of which lie in flat stretches
    enum : uint8_t { kNone = 0, kMaybe = 1, kEdge = 2 };
    std::vector<cv::Mat> planes_;
    int rows_, cols_, low_, high_;
    uint8_t *out_;
    std::vector<int16_t> smooth_, change_;
    Line one_, lines_[3]; // of one channel; of the strongest
    std::vector<uint8_t> map_; // with a border of nothing
    std::vector<uint8_t *> todo_;

    uint8_t *map(int y) { return map_.data() + size_t(y + 1) * (cols_ + 2) + 1; }

    void fill(int y, Line &l) {
        gradients(planes_[0], y, l);
        for (size_t c = 1; c < planes_.size(); c++) {
            gradients(planes_[c], y, one_);
            stronger(one_.dx.data(), one_.dy.data(), one_.amount.data() + 1, cols_, l.dx.data(), l.dy.data(), l.amount.data() + 1);
        }
    }

    void gradients(const cv::Mat &m, int y, Line &l) {
        const int n = cols_;
        columns(m.ptr(std::max(0, y - 1)), m.ptr(y), m.ptr(std::min(rows_ - 1, y + 1)), n, smooth_.data() + 1, change_.data() + 1);
        for (auto *v : {&smooth_, &change_}) {  // the outermost pixels go on
            (*v)[0] = (*v)[1];
            (*v)[n + 1] = (*v)[n];
        }
        lineGradients(smooth_.data(), change_.data(), n, l.dx.data(), l.dy.data(), l.amount.data() + 1);
    }

    // ridges marks where the gradient is larger than on either side of its direction.
    void ridges(int y, const int16_t *before, const Line &l, const int16_t *after) {
        const int16_t *here = l.amount.data() + 1;
        for (int from = 0; from < cols_; from += kSpan) {
            const int to = std::min(cols_, from + kSpan);
            if (above(here + from, to - from, low_)) span(y, from, to, before, l, after);
        }
    }

    void span(int y, int from, int to, const int16_t *before, const Line &l, const int16_t *after) {
        const int16_t *here = l.amount.data() + 1, *dx = l.dx.data(), *dy = l.dy.data();
        const int low = low_, high = high_;
        uint8_t *out = map(y);
        for (int x = from; x < to; x++) {
            const int m = here[x];
            if (m <= low || !ridge(dx[x], dy[x], m, before + x, here + x, after + x)) continue;
            out[x] = m > high ? kEdge : kMaybe;
            if (m > high) todo_.push_back(out + x);
        }
    }

    static bool ridge(int dx, int dy, int m, const int16_t *before, const int16_t *here, const int16_t *after) {
        const int ax = std::abs(dx), flat = ax * 13573, ay = std::abs(dy) << 15; // tan 22.5 degrees, 15 bits
        if (ay < flat) return m > here[-1] && m >= here[1];
        if (ay > flat + (ax << 16)) return m > before[0] && m >= after[0];
        const int s = (dx ^ dy) < 0 ? -1 : 1;
        return m > before[-s] && m > after[s];
    }

    // follow takes all ridges that hang together with an edge for edges.
    void follow() {
        const int line = cols_ + 2, round[] = {-line - 1, -line, -line + 1, -1, 1, line - 1, line, line + 1};
        while (!todo_.empty()) {
            uint8_t *at = todo_.back();
            todo_.pop_back();
            for (int d : round)
                if (at[d] == kMaybe) {
                    at[d] = kEdge;
                    todo_.push_back(at + d);
                }
        }
    }
};

}  // namespace

extern "C" char *vision_edges(const unsigned char *px, int rows, int cols, int channels, int low, int high, unsigned char *out) {
    return guard([&]() -> char * {
        std::vector<cv::Mat> planes;
        cv::split(cv::Mat(rows, cols, CV_8UC(channels), const_cast<unsigned char *>(px)), planes);
        Edges(planes, low, high, out).run();
        return nullptr;
    });
}
