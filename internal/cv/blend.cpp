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

extern "C" void vision_cells(const unsigned char *px, int line, int w, int h, unsigned short *sums, unsigned char *out) {
    const int n = 12 * w;
    for (int y = 0; y < h; y++, px += 4 * size_t(line), out += 3 * w) {
        const unsigned char *a = px, *b = a + line, *c = b + line, *d = c + line;
        int i = 0;
        for (; i + 16 <= n; i += 16) {
            v_uint16x8 al, ah, bl, bh, cl, ch, dl, dh;
            v_expand(v_load(a + i), al, ah);
            v_expand(v_load(b + i), bl, bh);
            v_expand(v_load(c + i), cl, ch);
            v_expand(v_load(d + i), dl, dh);
            v_store(sums + i, (al + bl) + (cl + dl));
            v_store(sums + i + 8, (ah + bh) + (ch + dh));
        }
        for (; i < n; i++) sums[i] = (unsigned short)(a[i] + b[i] + c[i] + d[i]);
        for (int x = 0; x < w; x++) {
            const unsigned short *s = sums + 12 * x;
            for (int k = 0; k < 3; k++) {
                const unsigned sum = s[k] + s[k + 3] + s[k + 6] + s[k + 9];
                out[3 * x + k] = (unsigned char)((sum + 7 + (sum >> 4 & 1)) >> 4);
            }
        }
    }
}
