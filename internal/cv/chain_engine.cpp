#include "chain.h"

#include <algorithm>

namespace chain {

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,fma")
namespace avx512 {
#define LANES 16
#include "chain_row.h"
}
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
#define LANES 8
#include "chain_row.h"
}
#pragma GCC pop_options
#endif

const std::vector<Engine> &engines() {
    static const std::vector<Engine> all = [] {
        std::vector<Engine> out;
#if defined(__x86_64__)
        __builtin_cpu_init();
        bool fma = __builtin_cpu_supports("fma");
        if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
            out.push_back({"avx512", avx512::row, avx512::group});
        if (fma && __builtin_cpu_supports("avx2")) out.push_back({"avx2", avx2::row, avx2::group});
#endif
        return out;
    }();
    return all;
}

}  // namespace chain
