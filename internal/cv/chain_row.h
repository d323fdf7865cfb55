// The innermost work of a chain (chain.h), compiled once for each kind of processor:
// LANES floats to a register. No guard against repeated inclusion: that is meant.

typedef float Vec __attribute__((vector_size(LANES * 4)));
typedef float Loose __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

// tile makes NB blocks of 16 channels of up to P neighbouring pixels, n of which
// count. STEP is the row's step, 0 where it is known only at run time.
template <int NB, int P, int STEP>
static void tile(const Row &r, const float *in, float *out, const float *w, const float *bias, int n) {
    constexpr int NV = NB * kBlock / LANES;
    const long step = STEP ? STEP : r.step;
    Vec sum[P][NV];
#pragma GCC unroll 32
    for (int p = 0; p < P; p++)
#pragma GCC unroll 32
        for (int v = 0; v < NV; v++) sum[p][v] = *(const Loose *)(bias + v * LANES);
    for (int t = 0; t < r.tapCount; t++) {
        const float *x = in + r.taps[t].at, *end = x + r.taps[t].channels;
        for (; x < end; x++, w += NB * kBlock) {
            Vec k[NV];
#pragma GCC unroll 32
            for (int v = 0; v < NV; v++) k[v] = *(const Loose *)(w + v * LANES);
#pragma GCC unroll 32
            for (int p = 0; p < P; p++)
#pragma GCC unroll 32
                for (int v = 0; v < NV; v++) sum[p][v] += k[v] * x[p * step];
        }
    }
#pragma GCC unroll 32
    for (int p = 0; p < P; p++) {
        if (p >= n) break;
#pragma GCC unroll 32
        for (int v = 0; v < NV; v++) {
            Vec s = sum[p][v];
            if (r.relu) s = s > 0 ? s : s - s;
            *(Loose *)(out + p * r.outStep + v * LANES / kBlock * r.outBlock + v * LANES % kBlock) = s;
        }
    }
}

typedef void (*Tile)(const Row &, const float *, float *, const float *, const float *, int);

// tiles makes NB blocks of a whole row, in pieces as even as its length allows.
template <int NB, int STEP, int A, int B, int C, int D>
static void tiles(const Row &r, const float *w, int block) {
    const int pieces = (r.width + D - 1) / D, even = (r.width + pieces - 1) / pieces;
    const int p = even <= A ? A : even <= B ? B : even <= C ? C : D;
    const Tile make = p == A ? tile<NB, A, STEP> : p == B ? tile<NB, B, STEP> : p == C ? tile<NB, C, STEP> : tile<NB, D, STEP>;
    const long step = STEP ? STEP : r.step;
    for (int x = 0; x < r.width; x += p)
        make(r, r.in + x * step, r.out + block * r.outBlock + x * r.outStep, w, r.bias + block * kBlock, std::min(p, r.width - x));
}

#if LANES == 16
#define SIZES1 7, 14, 20, 28
#define SIZES2 5, 7, 10, 14
#define SIZES3 4, 5, 7, 9
static int group(int blocks) { return blocks == 4 ? 2 : std::min(blocks, 3); }
#else
#define SIZES1 2, 4, 5, 6
static int group(int) { return 1; }
#endif

template <int STEP> static void steps(const Row &r) {
    long channels = 0;
    for (int t = 0; t < r.tapCount; t++) channels += r.taps[t].channels;
    const float *w = r.weights;
    for (int b = 0; b < r.blocks;) {
        const int g = group(r.blocks - b);
#if LANES == 16
        if (g == 3) tiles<3, STEP, SIZES3>(r, w, b);
        else if (g == 2) tiles<2, STEP, SIZES2>(r, w, b);
        else
#endif
            tiles<1, STEP, SIZES1>(r, w, b);
        w += channels * g * kBlock;
        b += g;
    }
}

static void row(const Row &r) {
    switch (r.step) {
    case 4: return steps<4>(r);
    case 8: return steps<8>(r);
    case 16: return steps<16>(r);
    case 32: return steps<32>(r);
    default: return steps<0>(r);
    }
}

#undef SIZES1
#undef SIZES2
#undef SIZES3
#undef LANES
