#include "blend.h"

#include <opencv2/core/hal/intrin.hpp>

using namespace cv;

// quarter is (3·a + b + 2) / 4.
static inline v_uint8x16 quarter(const v_uint8x16 &a, const v_uint8x16 &b) {
    const v_uint16x8 two = v_setall_u16(2);
    v_uint16x8 al, ah, bl, bh;
    v_expand(a, al, ah);
    v_expand(b, bl, bh);
    return v_pack((al + al + al + bl + two) >> 2, (ah + ah + ah + bh + two) >> 2);
}

extern "C" int vision_blend(unsigned char *old, const unsigned char *now, const unsigned char *count, int n, int near_, int full, int *left) {
    const int piece = 16;
    int others = 0, k = 0;
    const v_uint8x16 off = v_setall_u8((unsigned char)near_), all = v_setall_u8((unsigned char)full);
    for (; (k + 1) * piece <= n; k++) {
        unsigned char *p = old + 3 * piece * k;
        const unsigned char *q = now + 3 * piece * k;
        const v_uint8x16 a0 = v_load(p), a1 = v_load(p + 16), a2 = v_load(p + 32);
        const v_uint8x16 b0 = v_load(q), b1 = v_load(q + 16), b2 = v_load(q + 32);
        const v_uint8x16 far = v_max(v_absdiff(a0, b0), v_max(v_absdiff(a1, b1), v_absdiff(a2, b2)));
        if (!v_check_all((far <= off) & (v_load(count + piece * k) >= all))) {
            left[others++] = k;
            continue;
        }
        v_store(p, quarter(a0, b0));
        v_store(p + 16, quarter(a1, b1));
        v_store(p + 32, quarter(a2, b2));
    }
    if (k * piece < n) left[others++] = k;
    return others;
}
