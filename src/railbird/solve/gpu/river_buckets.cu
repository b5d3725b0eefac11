// River buckets by clusters (railbird.kernels.solve.river_clusters). First the ranks of all holdings on each board, -1 for
// those that share a card with it. Grid: boards x parts of the holdings; `pairs` has the two cards of each.
#define GROUPS 8
extern "C" __global__ void rank_boards(const u16* table, const u64* card_keys, const unsigned char* boards, const int* pairs,
                                       int* ranks) {
    const int board = blockIdx.x, h = blockIdx.y * blockDim.x + threadIdx.x;
    if (h >= HOLDINGS) return;
    const int high = pairs[2 * h], low = pairs[2 * h + 1];
    u64 key = 0x3333ULL << 40;
    bool blocked = false;
    for (int i = 0; i < 5; i++) {
        const int card = boards[board * 5 + i];
        blocked |= card == high || card == low;
        key += card_keys[card];
    }
    ranks[(size_t)board * HOLDINGS + h] = blocked ? -1 : rank_of_key(table, key + card_keys[high] + card_keys[low]);
}

// Then the nearest centre of every holding; of equally near ones the first, 0 for blocked holdings. `listed` are the
// holdings by group, from `starts[group]` to `starts[group + 1] - 1`. Grid as before.
extern "C" __global__ void bucket_rivers(const int* ranks, const int* pairs, const int* listed, const int* starts,
                                         const float* centres, int centre_count, int* buckets) {
    const int board = blockIdx.x, h = blockIdx.y * blockDim.x + threadIdx.x;
    if (h >= HOLDINGS) return;
    const int* ranked = ranks + (size_t)board * HOLDINGS;
    int* bucket = buckets + (size_t)board * HOLDINGS + h;
    const int own = ranked[h], high = pairs[2 * h], low = pairs[2 * h + 1];
    *bucket = 0;
    if (own < 0) return;
    float point[GROUPS];
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        int score = 0, met = 0;
        for (int k = starts[group]; k < starts[group + 1]; k++) {
            const int other = __ldg(listed + k), rank = __ldg(ranked + other);
            const int first = __ldg(pairs + 2 * other), second = __ldg(pairs + 2 * other + 1);
            const bool live = rank >= 0 && first != high && first != low && second != high && second != low;
            score += live ? (rank < own) + (rank <= own) : 0;
            met += live;
        }
        point[group] = met ? score * 256 / met : 256;
    }
    float best = 1e30f;
    for (int centre = 0; centre < centre_count; centre++) {
        float far = 0.0f;
#pragma unroll
        for (int group = 0; group < GROUPS; group++) {
            const float gap = point[group] - __ldg(centres + centre * GROUPS + group);
            far += gap * gap;
        }
        if (far < best) {
            best = far;
            *bucket = centre;
        }
    }
}
