// Rests of hands that are solved again, many side by side: the arithmetic of railbird.kernels.solve.resolving and
// resolving_rounds.
//
// A *cell* is one betting round on one board of one rest; numbers by holding lie in planes of `width`, in the order of the
// board. `shape` has PLACE_LENGTH numbers for each place of a round, `places` of them; a cell has a plane of weights for
// each of its `decisions` and actions, and one of reach, then of values, for each of its `ends`. Grids of kernels that work
// holding by holding: parts of the holdings x rounds x boards of all rests. NEARLY_NOTHING and POWER are told by `device.py`.

enum {
    PLACE_KIND, PLACE_ACTOR, PLACE_CHILD, PLACE_NUMBER = PLACE_CHILD + 3, PLACE_COLUMN, PLACE_PLANE = PLACE_COLUMN + 2,
    PLACE_LENGTH,
};
enum { IS_DECISION, IS_FOLD, IS_SHOWDOWN, IS_STREET_START };

#define MOST_COLUMNS 16
#define MOST_ENDS 18
#define MOST_DECISIONS 10

#define WIDEST 1152
#define CARD_ENTRIES 48
#define CARD_ROW (CARD_ENTRIES + 1)
#define MOST_PARTS 128

// How often an iteration counts in averages.
__device__ __forceinline__ float weight_at(const int* clock) {
    float times = 1.0f;
    for (int i = 0; i < POWER; i++) times *= clock[0] + 1.0f;
    return times;
}

__device__ __forceinline__ float cut(float number) { return fmaxf(number - NEARLY_NOTHING, 0.0f); }

// What a player does at a decision, by weights of which the positive ones count.
struct Shares {
    float chance[3];
    __device__ __forceinline__ Shares(const int* place, const float* weights, int width) {
        float whole = 0.0f;
        int legal = 0;
#pragma unroll
        for (int action = 0; action < 3; action++) {
            const bool can = place[PLACE_CHILD + action] >= 0;
            chance[action] = can ? fmaxf(weights[(size_t)action * width], 0.0f) : 0.0f;
            whole += chance[action];
            legal += can;
        }
#pragma unroll
        for (int action = 0; action < 3; action++)
            if (place[PLACE_CHILD + action] >= 0) chance[action] = whole > 0.0f ? chance[action] / whole : 1.0f / legal;
    }
};

// The chances of a table strategy as weights. `codes` are fold and raise in 255ths by row and bucket; the rounds of a rest
// begin with the row `first_rows` says. `buckets` are by board and place of a holding, `sets` says whose boards a rest has.
extern "C" __global__ void look_up_rests(const unsigned char* codes, int bucket_count, const int* first_rows, const int* buckets,
                                         const int* sets, int boards, const int* counts, int decisions, int width,
                                         float* weights) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x, rest = blockIdx.z / boards;
    const int board = sets[rest] * boards + blockIdx.z % boards;
    if (h >= counts[board]) return;
    const int bucket = buckets[(size_t)board * width + h];
    const size_t cell = (size_t)blockIdx.z * gridDim.y + blockIdx.y;
    for (int decision = 0; decision < decisions; decision++) {
        const size_t row = first_rows[rest] + blockIdx.y * decisions + decision;
        const unsigned char* code = codes + 2 * (row * bucket_count + bucket);
        float* to = weights + (cell * decisions + decision) * 3 * width + h;
        const float fold = code[0] * (1.0f / 255.0f), raised = code[1] * (1.0f / 255.0f);
        to[0] = fold;
        to[width] = 1.0f - fold - raised;
        to[2 * width] = raised;
    }
}

// A player's reach at the ends of all cells, from that at their openings. With `averaged`, what the player does times the
// reach is added to `sums`, as often as the iteration counts.
extern "C" __global__ void spread_rests(const int* shape, int places, int player, const float* weights, const float* opening,
                                        int decisions, int ends, int width, float* reaches, int averaged, const int* clock,
                                        float* sums) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= width) return;
    const size_t cell = (size_t)blockIdx.z * gridDim.y + blockIdx.y;
    const float* own = weights + cell * decisions * 3 * width + h;
    float* to = reaches + cell * ends * width + h;
    const float times = averaged ? weight_at(clock) : 0.0f;
    float reach[MOST_COLUMNS];
    reach[0] = opening[cell * width + h];
    for (int at = 0; at < places; at++) {
        const int* place = shape + at * PLACE_LENGTH;
        const float here = reach[place[PLACE_COLUMN + player]];
        if (place[PLACE_KIND] != IS_DECISION) {
            to[(size_t)place[PLACE_PLANE] * width] = here;
        } else if (place[PLACE_ACTOR] == player) {
            const size_t first = (size_t)place[PLACE_NUMBER] * 3 * width;
            const Shares shares(place, own + first, width);
            for (int action = 0; action < 3; action++) {
                const int child = place[PLACE_CHILD + action];
                if (child < 0) continue;
                const float passed = cut(here * shares.chance[action]);
                reach[shape[child * PLACE_LENGTH + PLACE_COLUMN + player]] = passed;
                if (averaged) sums[(cell * decisions * 3 + action) * width + first + h] += times * passed;
            }
        }
    }
}

// What ends of hands are worth to a player, in place of the opponent's reach there. One block of threads works one end of
// one cell, in any number of threads. Grid: ends x rounds x boards of all rests. With T the whole reach, T(i) that of the
// first i holdings and C, C(i) the same of the holdings with a card:
//     fold       stake * (T - C[first card] - C[second card] + reach of the holding)
//     showdown   stake * (T(below) - C(below)[..] + T(below and ties) - C(below and ties)[..] - (T - C[..]))
// `lists` are by board and card its holdings in order, -1 after the last; `marks` by holding how many of each of its two
// cards' holdings are below, and how many below or tied.
extern "C" __global__ void __launch_bounds__(MOST_PARTS)
value_rests(const int* shape, const int* end_places, const int* sets, int boards, const int* counts, const short* starts,
            const short* stops, const unsigned char* cards, const short* lists, const unsigned char* marks, const float* stakes,
            int width, float* planes) {
    __shared__ float reach[WIDEST], upto[WIDEST + 1], with[52 * CARD_ROW], whole_with[52], parts[MOST_PARTS];
    const int end = blockIdx.x, rest = blockIdx.z / boards, kind = shape[end_places[end] * PLACE_LENGTH + PLACE_KIND];
    if (kind == IS_STREET_START) return;
    const size_t board = sets[rest] * boards + blockIdx.z % boards;
    const int count = counts[board], threads = blockDim.x, thread = threadIdx.x;
    float* plane = planes + (((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + end) * width;
    for (int h = thread; h < width; h += threads) reach[h] = h < count ? plane[h] : 0.0f;
    __syncthreads();
    const int part = (width + threads - 1) / threads, first = thread * part, last = min(first + part, width);
    float sum = 0.0f;
    for (int h = first; h < last; h++) sum += reach[h];
    parts[thread] = sum;
    __syncthreads();
    for (int gap = 1; gap < threads; gap *= 2) {
        const float before = thread >= gap ? parts[thread - gap] : 0.0f;
        __syncthreads();
        parts[thread] += before;
        __syncthreads();
    }
    float running = parts[thread] - sum;
    for (int h = first; h < last; h++) {
        upto[h] = running;
        running += reach[h];
    }
    if (thread == threads - 1) upto[width] = parts[thread];
    for (int card = thread; card < 52; card += threads) {
        const short* listed = lists + (board * 52 + card) * CARD_ENTRIES;
        float* row = with + card * CARD_ROW;
        float total = 0.0f;
        int k = 0;
        for (; k < CARD_ENTRIES && listed[k] >= 0; k++) {
            row[k] = total;
            total += reach[listed[k]];
        }
        row[k] = whole_with[card] = total;
    }
    __syncthreads();
    const float stake = stakes[((size_t)rest * gridDim.y + blockIdx.y) * gridDim.x + end];
    for (int h = thread; h < width; h += threads) {
        float value = 0.0f;
        if (h < count) {
            const size_t at = board * width + h;
            const int high = cards[2 * at], low = cards[2 * at + 1];
            const float met = upto[width] - whole_with[high] - whole_with[low];
            if (kind == IS_FOLD) {
                value = stake * (met + reach[h]);
            } else {
                const unsigned char* mark = marks + 4 * at;
                const float below = upto[starts[at]] - with[high * CARD_ROW + mark[0]] - with[low * CARD_ROW + mark[1]];
                const float tied = upto[stops[at]] - with[high * CARD_ROW + mark[2]] - with[low * CARD_ROW + mark[3]];
                value = stake * (below + tied - met);
            }
        }
        plane[h] = value;
    }
}

// The values of all cells' openings to a player, from those of their ends. The player takes the best action, or plays by
// weights, which are regrets and learn.
extern "C" __global__ void decide_rests(const int* shape, int places, int player, int best, float* weights, int decisions,
                                        int ends, int width, const float* planes, float* opening) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= width) return;
    const size_t cell = (size_t)blockIdx.z * gridDim.y + blockIdx.y;
    float* own = weights + cell * decisions * 3 * width + h;
    const float* from = planes + cell * ends * width + h;
    float values[MOST_ENDS];
    for (int end = 0; end < ends; end++) values[end] = from[(size_t)end * width];
    for (int at = places - 1; at >= 0; at--) {
        const int* place = shape + at * PLACE_LENGTH;
        if (place[PLACE_KIND] != IS_DECISION) continue;
        float after[3], value = 0.0f;
        for (int action = 0; action < 3; action++) {
            const int child = place[PLACE_CHILD + action];
            after[action] = child < 0 ? 0.0f : values[shape[child * PLACE_LENGTH + PLACE_PLANE]];
        }
        const bool folds = place[PLACE_CHILD] >= 0, raises = place[PLACE_CHILD + 2] >= 0;
        if (place[PLACE_ACTOR] != player) {
            value = after[0] + after[1] + after[2];
        } else if (best) {
            value = after[1];
            if (folds) value = fmaxf(value, after[0]);
            if (raises) value = fmaxf(value, after[2]);
        } else {
            float* regrets = own + (size_t)place[PLACE_NUMBER] * 3 * width;
            const Shares shares(place, regrets, width);
            for (int action = 0; action < 3; action++) value += shares.chance[action] * after[action];
            for (int action = 0; action < 3; action++)
                if (place[PLACE_CHILD + action] >= 0)
                    regrets[(size_t)action * width] =
                        cut(fmaxf(regrets[(size_t)action * width], 0.0f) + (after[action] - value));
        }
        values[place[PLACE_PLANE]] = value;
    }
    opening[cell * width + h] = values[shape[PLACE_PLANE]];
}

// A player's reach at the openings of the rivers, from that at the closings of the turn. `above` says by board and place of a
// holding which place it has on the turn, `closing_planes` where a closing's reach is among the turn's ends.
extern "C" __global__ void descend_rests(const float* reaches, int turn_ends, int turn_width, const int* closing_planes,
                                         const int* above, const int* sets, int boards, const int* counts, int width,
                                         float* opening) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x, rest = blockIdx.z / boards;
    if (h >= width) return;
    const size_t board = sets[rest] * boards + blockIdx.z % boards;
    const float* from = reaches + ((size_t)rest * turn_ends + closing_planes[blockIdx.y]) * turn_width;
    opening[((size_t)blockIdx.z * gridDim.y + blockIdx.y) * width + h] =
        h < counts[board] ? from[above[board * width + h]] : 0.0f;
}

// What the rivers make of the closings of the turn: the sum over them, `chance` times. `below` says by board and place of a
// holding on the turn which place it has there, -1 for none. Grid: parts of the holdings x closings x rests.
extern "C" __global__ void gather_rests(const float* opening, const short* below, const int* sets, int boards, float chance,
                                        int width, const int* closing_planes, int turn_ends, int turn_width, float* planes) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x, rest = blockIdx.z;
    if (h >= turn_width) return;
    float total = 0.0f;
    for (int river = 0; river < boards; river++) {
        const int place = below[((size_t)sets[rest] * boards + river) * turn_width + h];
        if (place >= 0)
            total += chance * opening[(((size_t)rest * boards + river) * gridDim.y + blockIdx.y) * width + place];
    }
    planes[((size_t)rest * turn_ends + closing_planes[blockIdx.y]) * turn_width + h] = total;
}

__device__ __forceinline__ float following(float follow, float leave) {
    return follow + leave > 0.0f ? follow / (follow + leave) : 1.0f;
}

// The opponent's reach where rests begin: forced + asked * (how often he follows). With `learns` he first learns that from
// what following is worth. Grid: parts of the holdings x 1 x rests.
extern "C" __global__ void follow_rests(const float* forced, const float* asked, const float* alternative, const float* values,
                                        int learns, int width, float* follow, float* leave, float* entering) {
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= width) return;
    const size_t at = (size_t)blockIdx.z * width + h;
    if (learns) {
        const float share = following(follow[at], leave[at]), gain = values[at] - alternative[at];
        follow[at] = fmaxf(0.0f, follow[at] + (1.0f - share) * gain);
        leave[at] = fmaxf(0.0f, leave[at] - share * gain);
    }
    entering[at] = forced[at] + asked[at] * following(follow[at], leave[at]);
}

// Chances become regrets that ask for them: times what is at stake, chips times the other player's reach. One thread works
// a cell; grid: parts of all cells. `openings` are of both players, `before` the chips by rest and round, `added` by place
// and player.
extern "C" __global__ void scale_rests(const int* shape, int places, const float* first_opening, const float* second_opening,
                                       const float* before, const float* added, int rounds, int boards, int cells,
                                       int decisions, int width, float times, float* weights) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells) return;
    const float chips = before[cell / (rounds * boards) * rounds + cell % rounds];
    const size_t at = (size_t)cell * width;
    float* own = weights + at * decisions * 3;
    float met[MOST_DECISIONS];
    for (int decision = 0; decision < decisions; decision++) met[decision] = 0.0f;
    for (int h = 0; h < width; h++) {
        float reach[2][MOST_COLUMNS];
        reach[0][0] = first_opening[at + h];
        reach[1][0] = second_opening[at + h];
        for (int i = 0; i < places; i++) {
            const int* place = shape + i * PLACE_LENGTH;
            if (place[PLACE_KIND] != IS_DECISION) continue;
            const int actor = place[PLACE_ACTOR];
            met[place[PLACE_NUMBER]] += reach[1 - actor][place[PLACE_COLUMN + 1 - actor]];
            const Shares shares(place, own + (size_t)place[PLACE_NUMBER] * 3 * width + h, width);
            for (int action = 0; action < 3; action++) {
                const int child = place[PLACE_CHILD + action];
                if (child >= 0)
                    reach[actor][shape[child * PLACE_LENGTH + PLACE_COLUMN + actor]] =
                        cut(reach[actor][place[PLACE_COLUMN + actor]] * shares.chance[action]);
            }
        }
    }
    for (int i = 0; i < places; i++) {
        const int* place = shape + i * PLACE_LENGTH;
        if (place[PLACE_KIND] != IS_DECISION) continue;
        const float scale = times * met[place[PLACE_NUMBER]] * (chips + added[2 * i + 1 - place[PLACE_ACTOR]]);
        float* from = own + (size_t)place[PLACE_NUMBER] * 3 * width;
        for (int k = 0; k < 3 * width; k++) from[k] *= scale;
    }
}

// Add numbers to sums, as often as the iteration counts.
extern "C" __global__ void add_rests(const float* found, const int* clock, long long size, float* sums) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < size) sums[at] += weight_at(clock) * found[at];
}

// An iteration is over.
extern "C" __global__ void tick_rests(int* clock) {
    if (threadIdx.x == 0) clock[0]++;
}
