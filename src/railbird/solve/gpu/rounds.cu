// Betting rounds of heads-up limit hold'em on a GPU: the arithmetic of railbird.kernels.solve.response_rounds, many boards at once.
//
// A thread is one lane (one opening of a street's betting), a block of 64 threads one block of lanes, and everything a
// warp does is the same for all its lanes: they walk the same holdings of the same board in the same order. Arrays by
// opening are laid out by block, holding and lane, so that neighbouring threads read neighbouring numbers. The sums by
// card live in shared memory, one column of 52 for each thread; no thread ever reads another's.

#define LANES 64
#define HOLDINGS 1326
#define PLANE (HOLDINGS * LANES)
#define PATH_STEPS 4

// The numbers of a stage, those of railbird.kernels.solve.response_rounds.
enum {
    OWN, CALL_KIND, CLOSING, CALL_STAKE, FOLD_KIND, FOLD_STAKE, RAISE_PLANE, OUT_PLANE, CALL_PLANE, SAME_REACH, DECISION,
    CALL_PATH,
    FOLD_PATH = CALL_PATH + PATH_STEPS,
    CHOICE = FOLD_PATH + PATH_STEPS,
    STAGE_LENGTH,
};

typedef unsigned long long u64;
typedef unsigned short u16;

__device__ __forceinline__ int plain_rank(const u16* table, u64 key) {
    return table[((key >> 13) & 0xffff) + (u64)table[key & 0x1fff]];
}

// The rank of a key of five to seven cards; railbird.kernels.cards.ranking tells how.
__device__ int rank_of_key(const u16* table, u64 key) {
    if (!(key & (0x8888ULL << 40))) return plain_rank(table, key);
    const u64 in_odd = (key >> 47 | key >> 55) & 1, in_high = (key >> 51 | key >> 55) & 1;
    u64 odd = key >> 30, high = key >> 56;
    odd = (in_odd ? key - odd : odd) & 0xff;
    high = (in_high ? key - high : high) & 0xff;
    const u64 in_both = key >> (52 - 4 * in_odd - 8 * in_high) & 15;
    const u64 marks = in_both == 3 ? odd + high : (odd > high ? odd : high);
    const u64 at = 8192 + 2 * marks;
    const int rank = plain_rank(table, key - ((u64)table[at] | (u64)table[at + 1] << 16));
    return rank + (rank >= 5853 ? 7452 - 5853 : 5863);
}

// The live holdings of each board in rising order of rank (in their own order on boards of fewer than five cards).
// entries = holding | first card << 11 | second card << 17 and the bucket, for each of some streets; ends = one past the
// last holding of equal rank. `buckets` holds a row of 1,326 for each street and board.
extern "C" __global__ void sort_boards(const u16* table, const u64* card_keys, const unsigned char* boards, int cards,
                                       const int* buckets, int streets, int2* entries, short* ends, int* counts) {
    __shared__ unsigned keys[2048];
    __shared__ int live;
    const int board = blockIdx.x;
    const unsigned char* dealt = boards + board * cards;
    u64 dead = 0, key = 0x3333ULL << 40;
    for (int i = 0; i < cards; i++) {
        dead |= 1ULL << dealt[i];
        key += card_keys[dealt[i]];
    }
    if (threadIdx.x == 0) live = 0;
    __syncthreads();
    for (int h = threadIdx.x; h < 2048; h += blockDim.x) {
        unsigned value = 0xffffffffu;
        if (h < HOLDINGS) {
            int high = (int)((1.0f + sqrtf(1.0f + 8.0f * h)) / 2.0f);
            while (high * (high - 1) / 2 > h) high--;
            while ((high + 1) * high / 2 <= h) high++;
            const int low = h - high * (high - 1) / 2;
            if (!((dead >> high | dead >> low) & 1)) {
                const int rank = cards == 5 ? rank_of_key(table, key + card_keys[high] + card_keys[low]) : 0;
                value = (unsigned)rank << 11 | h;
                atomicAdd(&live, 1);
            }
        }
        keys[h] = value;
    }
    __syncthreads();
    for (int size = 2; size <= 2048; size *= 2)
        for (int gap = size / 2; gap > 0; gap /= 2) {
            for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
                const int low = 2 * i - (i & (gap - 1)), high = low + gap;
                const bool rising = !(low & size);
                const unsigned a = keys[low], b = keys[high];
                if ((a > b) == rising) {
                    keys[low] = b;
                    keys[high] = a;
                }
            }
            __syncthreads();
        }
    const int count = live;
    if (threadIdx.x == 0) counts[board] = count;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int h = keys[i] & 2047;
        int high = (int)((1.0f + sqrtf(1.0f + 8.0f * h)) / 2.0f);
        while (high * (high - 1) / 2 > h) high--;
        while ((high + 1) * high / 2 <= h) high++;
        const int low = h - high * (high - 1) / 2;
        for (int street = 0; street < streets; street++) {
            const size_t row = ((size_t)street * gridDim.x + board) * HOLDINGS;
            entries[row + i] = make_int2(h | high << 11 | low << 17, buckets[row + h]);
        }
        int end = i + 1;
        while (cards == 5 && end < count && keys[end] >> 11 == keys[i] >> 11) end++;
        ends[board * HOLDINGS + i] = end;
    }
}

#define CHUNK 8

// How a player acts, for one lane: what its steps on a path leave of the weights of CHUNK holdings. By a table over
// buckets, whose loads of a chunk are under way together,
struct ByTable {
    const float* __restrict__ table;
    int row;
    __device__ __forceinline__ void follow(const int* path, const int2* chunk, float* weights) const {
        for (int step = 0; step < PATH_STEPS && path[step] >= 0; step++) {
            const float* rows = table + (size_t)path[step] * row;
#pragma unroll
            for (int k = 0; k < CHUNK; k++) weights[k] *= __ldg(rows + chunk[k].y * LANES);
        }
    }
};

// or by answers, two bits for each of its decisions in a round; a step is 3 * (number of the decision) + action.
struct ByAnswers {
    const u16* __restrict__ answers;
    __device__ __forceinline__ void follow(const int* path, const int2* chunk, float* weights) const {
        if (path[0] < 0) return;
        int answered[CHUNK];
#pragma unroll
        for (int k = 0; k < CHUNK; k++) answered[k] = __ldg(answers + (chunk[k].x & 2047) * LANES);
        for (int step = 0; step < PATH_STEPS && path[step] >= 0; step++) {
            const int shift = 2 * (path[step] / 3), action = path[step] % 3;
#pragma unroll
            for (int k = 0; k < CHUNK; k++)
                if ((answered[k] >> shift & 3) != action) weights[k] = 0.0f;
        }
    }
};

__device__ __forceinline__ void list_chunk(const int2* __restrict__ entries, int start, int end, int2* chunk) {
#pragma unroll
    for (int k = 0; k < CHUNK; k++) chunk[k] = __ldg(entries + min(start + k, end - 1));
}

// A player's reach at the closings of a round, on one board: a part of its holdings.
template <typename Way>
__device__ __forceinline__ void pass_on(const int* closing_paths, int closings, const Way& way, const int2* listed, int count,
                                        const float* from, const int* next_openings, int next_blocks, float* later) {
    const int lane = threadIdx.x, block = blockIdx.x, board = blockIdx.y;
    for (int start = blockIdx.z * CHUNK; start < count; start += gridDim.z * CHUNK) {
        int2 chunk[CHUNK];
        float base[CHUNK], weights[CHUNK];
        list_chunk(listed, start, count, chunk);
#pragma unroll
        for (int k = 0; k < CHUNK; k++) base[k] = from[(chunk[k].x & 2047) * LANES];
        for (int closing = 0; closing < closings; closing++) {
            const int next = next_openings[(block * closings + closing) * LANES + lane];
            if (next < 0) continue;
#pragma unroll
            for (int k = 0; k < CHUNK; k++) weights[k] = base[k];
            way.follow(closing_paths + closing * PATH_STEPS, chunk, weights);
            float* to = later + ((size_t)board * next_blocks + next / LANES) * PLANE + next % LANES;
#pragma unroll
            for (int k = 0; k < CHUNK; k++)
                if (start + k < count) to[(chunk[k].x & 2047) * LANES] = weights[k];
        }
    }
}

// The opponent's reach at the closings of a round. Grid: blocks of lanes x boards x parts; `before` says where each
// board's reach is. No two boards are alike in `later`.
extern "C" __global__ void pass_reach(const int* closing_paths, int closings, const float* tables, int decisions,
                                      int buckets_count, const int2* entries, const int* counts, const int* before,
                                      const float* reach, const int* next_openings, int next_blocks, float* later) {
    const int lane = threadIdx.x, block = blockIdx.x, board = blockIdx.y, row = buckets_count * LANES;
    const ByTable way = {tables + (size_t)block * decisions * 3 * row + lane, row};
    const float* from = reach + ((size_t)before[board] * gridDim.x + block) * PLANE + lane;
    pass_on(closing_paths, closings, way, entries + (size_t)board * HOLDINGS, counts[board], from, next_openings, next_blocks,
            later);
}

// The same of a player whose answers were noted by `respond`.
extern "C" __global__ void pass_answers(const int* closing_paths, int closings, const u16* answers, const int2* entries,
                                        const int* counts, const int* before, const float* reach, const int* next_openings,
                                        int next_blocks, float* later) {
    const int lane = threadIdx.x, block = blockIdx.x, board = blockIdx.y;
    const ByAnswers way = {answers + ((size_t)board * gridDim.x + block) * PLANE + lane};
    const float* from = reach + ((size_t)before[board] * gridDim.x + block) * PLANE + lane;
    pass_on(closing_paths, closings, way, entries + (size_t)board * HOLDINGS, counts[board], from, next_openings, next_blocks,
            later);
}

// Add the weights of the holdings from `start` to `end` to a sum and to the sums by card.
__device__ __forceinline__ void add_weights(const int2* entries, const float* weights, int start, int end, double& total,
                                            float* sums) {
    for (int i = start; i < end; i += CHUNK) {
        int2 chunk[CHUNK];
        float weight[CHUNK];
        list_chunk(entries, i, end, chunk);
#pragma unroll
        for (int k = 0; k < CHUNK; k++) weight[k] = weights[(chunk[k].x & 2047) * LANES];
#pragma unroll
        for (int k = 0; k < CHUNK; k++)
            if (i + k < end) {
                total += weight[k];
                sums[(chunk[k].x >> 11 & 63) * LANES] += weight[k];
                sums[(chunk[k].x >> 17) * LANES] += weight[k];
            }
    }
}

// One stage: what call, raise and fold are worth to every holding. `use(holding and bucket, call, raise, fold)` is
// called for each holding and its answer is left in the plane.
template <typename Way, typename Use>
__device__ __forceinline__ void work_stage(const int* stage, const Way& way, const int2* entries, const short* ends, int count, const float* reach, float committed,
                                           const float* closing_values, float closing_scale, bool scaled, float* signed_sums,
                                           float* all_sums, float* plane, Use use) {
    float* call_weights = plane + 2 * PLANE;
    float* fold_weights = plane + 3 * PLANE;
    const int call = stage[CALL_KIND], fold = stage[FOLD_KIND];
    const bool same = stage[SAME_REACH], walks = call == 1;
    const bool weighs = walks || same || (call == 2 && scaled);
    double balance = 0.0, all = 0.0;  // a thousand equal numbers added up in single precision drift
    for (int card = 0; card < 52; card++) signed_sums[card * LANES] = all_sums[card * LANES] = 0.0f;
    if (weighs || fold)
        for (int start = 0; start < count; start += CHUNK) {
            int2 chunk[CHUNK];
            float called[CHUNK], folded[CHUNK];
            list_chunk(entries, start, count, chunk);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) called[k] = folded[k] = reach[(chunk[k].x & 2047) * LANES];
            if (weighs) way.follow(stage + CALL_PATH, chunk, called);
            if (fold && !same) way.follow(stage + FOLD_PATH, chunk, folded);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                if (start + k >= count) continue;
                const int h = chunk[k].x & 2047, first = chunk[k].x >> 11 & 63, second = chunk[k].x >> 17;
                if (weighs) call_weights[h * LANES] = called[k];
                if (walks) {
                    balance -= called[k];
                    signed_sums[first * LANES] -= called[k];
                    signed_sums[second * LANES] -= called[k];
                }
                if (fold) {
                    const float weight = same ? called[k] : folded[k];
                    if (!same) fold_weights[h * LANES] = weight;
                    all += weight;
                    all_sums[first * LANES] += weight;
                    all_sums[second * LANES] += weight;
                }
            }
        }
    const float* give_ups = same ? call_weights : fold_weights;
    const float* raises = stage[RAISE_PLANE] >= 0 ? plane + stage[RAISE_PLANE] * PLANE : 0;
    const float* calls = stage[CALL_PLANE] >= 0 ? plane + stage[CALL_PLANE] * PLANE : closing_values;
    float* out = plane + stage[OUT_PLANE] * PLANE;
    const float call_stake = committed + stage[CALL_STAKE];
    const float fold_stake = fold == 1 ? -(committed + stage[FOLD_STAKE]) : committed + stage[FOLD_STAKE];
    const float call_scale = stage[CALL_PLANE] >= 0 ? 1.0f : closing_scale;
    for (int start = 0; start < count;) {
        const int end = walks ? ends[start] : count;
        if (walks) add_weights(entries, call_weights, start, end, balance, signed_sums);
        for (int i = start; i < end; i += CHUNK) {
            int2 chunk[CHUNK];
            float called[CHUNK], raised[CHUNK], given_up[CHUNK];
            list_chunk(entries, i, end, chunk);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                const int h = chunk[k].x & 2047;
                called[k] = !walks && calls ? calls[h * LANES] * call_scale : 0.0f;
                raised[k] = raises ? raises[h * LANES] : 0.0f;
                given_up[k] = fold ? give_ups[h * LANES] : 0.0f;
            }
            if (call == 2 && scaled)
#pragma unroll
                for (int k = 0; k < CHUNK; k++) called[k] *= call_weights[(chunk[k].x & 2047) * LANES];
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                if (i + k >= end) continue;
                const int h = chunk[k].x & 2047, first = chunk[k].x >> 11 & 63, second = chunk[k].x >> 17;
                if (walks) called[k] = ((float)balance - signed_sums[first * LANES] - signed_sums[second * LANES]) * call_stake;
                if (fold)
                    given_up[k] =
                        ((float)all - all_sums[first * LANES] - all_sums[second * LANES] + given_up[k]) * fold_stake;
                out[h * LANES] = use(chunk[k], called[k], raised[k], given_up[k]);
            }
        }
        if (walks) add_weights(entries, call_weights, start, end, balance, signed_sums);
        start = end;
    }
}

// Where the values of a stage's closing are, for one lane; null if the stage has none.
__device__ __forceinline__ const float* values_of_closing(const int* stage, const int* next_openings, int closings, int block,
                                                       int lane, const float* later) {
    if (stage[CALL_KIND] != 2) return 0;
    const int opening = next_openings[(block * closings + stage[CLOSING]) * LANES + lane];
    return opening < 0 ? 0 : later + (size_t)(opening / LANES) * PLANE + opening % LANES;
}

// Add the values of one board, in plane 0, to the sums of the board before, once for each relabelling of the suits.
__device__ __forceinline__ void add_images(int board, const int* image_starts, const int* images, const int* relabellings,
                                           const int2* listed, int count, const float* plane, float* to) {
    for (int image = image_starts[board]; image < image_starts[board + 1]; image++) {
        const int* relabelled = relabellings + images[image] * HOLDINGS;
        for (int start = 0; start < count; start += CHUNK) {
            int2 chunk[CHUNK];
            float values[CHUNK];
            list_chunk(listed, start, count, chunk);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) values[k] = plane[(chunk[k].x & 2047) * LANES];
#pragma unroll
            for (int k = 0; k < CHUNK; k++)
                if (start + k < count) atomicAdd(to + relabelled[chunk[k].x & 2047] * LANES, values[k]);
        }
    }
}

// Most of what an opponent who answers can do it never does; there is nothing to add then.
__device__ __forceinline__ void add_gain(float* to, float gain) {
    if (gain != 0.0f) atomicAdd(to, gain);
}

// Best response to one round on many boards. Grid: blocks of lanes x tasks. A task is a run of boards that share the
// reach they start from; what they are worth is added to the sums that `sums_of` names, once for each relabelling of
// the suits that `images` lists. `planes` is room for 4 planes a block. With `notes`, the best action at each of the
// responder's decisions goes to `answers` by board, block, holding and lane, as railbird.kernels.solve.response_rounds says.
extern "C" __global__ void __launch_bounds__(LANES)
respond(const int* stages, int stage_count, const float* tables, int decisions, int buckets_count, const int2* entries,
        const short* ends, const int* counts, const int* task_boards, const int* image_starts, const int* images,
        const int* relabellings, const int* reach_of, const float* reach, const float* committed, const int* next_openings,
        int closings, int next_blocks, const float* later, float closing_scale, int scaled, const int* sums_of, float* planes,
        float* sums, int notes, u16* answers) {
    extern __shared__ float shared[];
    const int lane = threadIdx.x, block = blockIdx.x, task = blockIdx.y, row = buckets_count * LANES;
    float* plane = planes + (size_t)(task * gridDim.x + block) * 4 * PLANE + lane;
    const ByTable way = {tables + (size_t)block * decisions * 3 * row + lane, row};
    const float* from = reach + ((size_t)reach_of[task] * gridDim.x + block) * PLANE + lane;
    float* to = sums + ((size_t)sums_of[task] * gridDim.x + block) * PLANE + lane;
    const float chips = committed[block * LANES + lane];
    for (int board = task_boards[task]; board < task_boards[task + 1]; board++) {
        const int count = counts[board];
        const int2* listed = entries + (size_t)board * HOLDINGS;
        u16* answered = answers + (notes ? ((size_t)board * gridDim.x + block) * PLANE + lane : 0);
        for (int s = 0; s < stage_count; s++) {
            const int* stage = stages + s * STAGE_LENGTH;
            const bool own = stage[OWN], raises = stage[RAISE_PLANE] >= 0, folds = stage[FOLD_KIND] != 0;
            const int shift = 2 * stage[CHOICE];
            const float* closing = values_of_closing(stage, next_openings, closings, block, lane,
                                               later + (size_t)board * next_blocks * PLANE);
            work_stage(stage, way, listed, ends + (size_t)board * HOLDINGS, count, from, chips, closing, closing_scale, scaled,
                       shared + lane, shared + 52 * LANES + lane, plane,
                       [=](int2 entry, float called, float raised, float given_up) {
                           if (!own) return called + raised + given_up;
                           float value = called;
                           int best = 1;
                           if (raises && raised > value) value = raised, best = 2;
                           if (folds && given_up > value) value = given_up, best = 0;
                           if (notes) answered[(entry.x & 2047) * LANES] |= best << shift;
                           return value;
                       });
        }
        add_images(board, image_starts, images, relabellings, listed, count, plane, to);
    }
}

// Whether a player gets to an opening with any holding, for one lane.
__device__ __forceinline__ bool is_reached(const float* reach) {
    for (int h = 0; h < HOLDINGS; h++)
        if (reach[h * LANES] != 0.0f) return true;
    return false;
}

// CFR-BR: a learner in one round on many boards, against an opponent whose answers are known. Grid, tasks, sums and planes
// are those of `respond`; `tables` is the learner's strategy, `reach` its opponent's. What each action would have won more
// than the strategy is added to `gains`, laid out as `tables` is, `weights` times by board.
extern "C" __global__ void __launch_bounds__(LANES)
learn(const int* stages, int stage_count, const float* tables, int decisions, int buckets_count, const int2* entries,
      const short* ends, const int* counts, const int* task_boards, const int* image_starts, const int* images,
      const int* relabellings, const int* reach_of, const float* reach, const u16* answers, const float* committed,
      const int* next_openings, int closings, int next_blocks, const float* later, float closing_scale, const int* sums_of,
      const float* weights, float* planes, float* sums, float* gains) {
    extern __shared__ float shared[];
    const int lane = threadIdx.x, block = blockIdx.x, task = blockIdx.y, row = buckets_count * LANES;
    float* plane = planes + (size_t)(task * gridDim.x + block) * 4 * PLANE + lane;
    const size_t place = (size_t)block * decisions * 3 * row + lane;
    const float* from = reach + ((size_t)reach_of[task] * gridDim.x + block) * PLANE + lane;
    float* to = sums + ((size_t)sums_of[task] * gridDim.x + block) * PLANE + lane;
    const float chips = committed[block * LANES + lane];
    if (!is_reached(from)) return;  // nothing is won or learned there
    for (int board = task_boards[task]; board < task_boards[task + 1]; board++) {
        const int count = counts[board];
        const int2* listed = entries + (size_t)board * HOLDINGS;
        const ByAnswers way = {answers + ((size_t)board * gridDim.x + block) * PLANE + lane};
        const float weight = weights[board];
        for (int s = 0; s < stage_count; s++) {
            const int* stage = stages + s * STAGE_LENGTH;
            const bool own = stage[OWN], raises = stage[RAISE_PLANE] >= 0, folds = stage[FOLD_KIND] != 0;
            const float* closing = values_of_closing(stage, next_openings, closings, block, lane,
                                               later + (size_t)board * next_blocks * PLANE);
            const size_t at = place + (size_t)stage[DECISION] * 3 * row;
            const float* chances = tables + at;
            float* found = gains + at;
            work_stage(stage, way, listed, ends + (size_t)board * HOLDINGS, count, from, chips, closing, closing_scale, false,
                       shared + lane, shared + 52 * LANES + lane, plane,
                       [=](int2 entry, float called, float raised, float given_up) {
                           if (!own) return called + raised + given_up;
                           const int bucket = entry.y * LANES;
                           float value = chances[row + bucket] * called;
                           if (raises) value += chances[2 * row + bucket] * raised;
                           if (folds) value += chances[bucket] * given_up;
                           add_gain(found + row + bucket, weight * (called - value));
                           if (raises) add_gain(found + 2 * row + bucket, weight * (raised - value));
                           if (folds) add_gain(found + bucket, weight * (given_up - value));
                           return value;
                       });
        }
        add_images(board, image_starts, images, relabellings, listed, count, plane, to);
    }
}

// One round of vector CFR on many boards, for the regrets of one player. Grid: blocks of lanes x boards. `tables` and the
// buckets in `entries` are those of its opponent, who plays by them; `own_tables` and `own_buckets`, by board and holding,
// its own. The values of the round's opening go to plane 0 of `planes` (4 planes a block), as those of the openings that
// follow stand in `later`, which has `later_planes` a block; what each action would have won more than the strategy is
// added to `regrets`, laid out as `own_tables` is.
extern "C" __global__ void __launch_bounds__(LANES)
train(const int* stages, int stage_count, const float* tables, int decisions, int buckets_count, const int2* entries,
      const short* ends, const int* counts, const int* reach_of, const float* reach, const float* committed,
      const int* next_openings, int closings, int next_stride, const float* later, int later_planes, float* planes,
      const float* own_tables, int own_count, const int* own_buckets, float* regrets) {
    extern __shared__ float shared[];
    const int lane = threadIdx.x, block = blockIdx.x, board = blockIdx.y, row = own_count * LANES;
    const int their_row = buckets_count * LANES;
    float* plane = planes + ((size_t)board * gridDim.x + block) * 4 * PLANE + lane;
    const size_t place = (size_t)block * decisions * 3 * row + lane;
    const float* from = reach + ((size_t)reach_of[board] * gridDim.x + block) * PLANE + lane;
    const float chips = committed[block * LANES + lane];
    const ByTable way = {tables + (size_t)block * decisions * 3 * their_row + lane, their_row};
    const int* bucket_of = own_buckets + (size_t)board * HOLDINGS;
    for (int s = 0; s < stage_count; s++) {
        const int* stage = stages + s * STAGE_LENGTH;
        const bool own = stage[OWN], raises = stage[RAISE_PLANE] >= 0, folds = stage[FOLD_KIND] != 0;
        const float* closing = 0;
        if (stage[CALL_KIND] == 2) {
            const int opening = next_openings[(block * closings + stage[CLOSING]) * LANES + lane];
            if (opening >= 0)
                closing = later + ((size_t)board * next_stride + (size_t)(opening / LANES) * later_planes) * PLANE +
                          opening % LANES;
        }
        const size_t at = place + (size_t)stage[DECISION] * 3 * row;
        const float* chances = own_tables + at;
        float* gains = regrets + at;
        const bool exists = stage[CALL_KIND] != 2 || closing;
        work_stage(stage, way, entries + (size_t)board * HOLDINGS, ends + (size_t)board * HOLDINGS, counts[board], from, chips, closing, 1.0f, false, shared + lane, shared + 52 * LANES + lane, plane,
                   [=](int2 entry, float called, float raised, float given_up) {
                       if (!own) return called + raised + given_up;
                       const size_t bucket = (size_t)bucket_of[entry.x & 2047] * LANES;
                       const float call_chance = chances[row + bucket];
                       const float raise_chance = raises ? chances[2 * row + bucket] : 0.0f;
                       const float fold_chance = folds ? chances[bucket] : 0.0f;
                       const float value = call_chance * called + raise_chance * raised + fold_chance * given_up;
                       if (exists) {
                           atomicAdd(gains + row + bucket, called - value);
                           if (raises) atomicAdd(gains + 2 * row + bucket, raised - value);
                           if (folds) atomicAdd(gains + bucket, given_up - value);
                       }
                       return value;
                   });
    }
}

// Add to `sums` what the opponent does on the way through a round, weighted by its reach. Grid: blocks of lanes x boards
// x parts. `steps` has for each of its actions the number decision * 3 + action and the path there, itself included.
// A board counts `shares` times.
extern "C" __global__ void add_strategy(const int* steps, int step_count, const float* tables, int decisions,
                                        int buckets_count, const int2* entries, const int* counts, const int* reach_of,
                                        const float* reach, const float* shares, float* sums) {
    const int lane = threadIdx.x, block = blockIdx.x, board = blockIdx.y, row = buckets_count * LANES;
    const size_t place = (size_t)block * decisions * 3 * row + lane;
    const float* from = reach + ((size_t)reach_of[board] * gridDim.x + block) * PLANE + lane;
    const int2* listed = entries + (size_t)board * HOLDINGS;
    const int count = counts[board];
    const float share = shares[board];
    const ByTable way = {tables + place, row};
    for (int start = blockIdx.z * CHUNK; start < count; start += gridDim.z * CHUNK) {
        int2 chunk[CHUNK];
        float base[CHUNK], weights[CHUNK];
        list_chunk(listed, start, count, chunk);
#pragma unroll
        for (int k = 0; k < CHUNK; k++) base[k] = share * from[(chunk[k].x & 2047) * LANES];
        for (int s = 0; s < step_count; s++) {
            const int* step = steps + s * (1 + PATH_STEPS);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) weights[k] = base[k];
            way.follow(step + 1, chunk, weights);
#pragma unroll
            for (int k = 0; k < CHUNK; k++)
                if (start + k < count && weights[k] > 0.0f)
                    atomicAdd(sums + place + (size_t)step[0] * row + chunk[k].y * LANES, weights[k]);
        }
    }
}

// The strategy that regrets ask for: in proportion to the positive ones, evenly among legal actions where none is.
// `legal` has a number for each decision and action. Grid covers blocks x decisions x buckets x lanes.
extern "C" __global__ void match_regrets(const float* regrets, const int* legal, int decisions, int buckets_count,
                                         long long size, float* tables) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int row = buckets_count * LANES;
    if (at >= size) return;
    const int decision = at / row % decisions;
    const size_t place = (size_t)(at / row) * 3 * row + at % row;
    float wanted[3], whole = 0.0f;
    int actions = 0;
    for (int action = 0; action < 3; action++) {
        const int allowed = legal[decision * 3 + action];
        wanted[action] = allowed ? fmaxf(regrets[place + (size_t)action * row], 0.0f) : 0.0f;
        whole += wanted[action];
        actions += allowed;
    }
    for (int action = 0; action < 3; action++)
        tables[place + (size_t)action * row] =
            whole > 0.0f ? wanted[action] / whole : legal[decision * 3 + action] ? 1.0f / actions : 0.0f;
}

// Take over what a batch has found: regrets = max(floor, regrets + weight * found); found = 0.
extern "C" __global__ void take_over(float* regrets, float* found, float weight, float floor, long long size) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= size) return;
    regrets[at] = fmaxf(floor, regrets[at] + weight * found[at]);
    found[at] = 0.0f;
}
