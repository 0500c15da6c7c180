// Chooses one token for each request from rows of logits that lie on the GPU, by the rules of sampling/choose-token.ts:
// temperature, top-k, top-p, min-p, then the distribution's inverse at the request's random number. One workgroup
// answers one request. Probabilities are whole numbers, shares of 2^31: sums of them do not depend on the order in
// which threads add, so that a request has one answer.

struct Filter {
  vocabulary: u32,
  // 0 takes the most likely token.
  temperature: f32,
  // 0 keeps all.
  topK: u32,
  // As a share of 2^32; 0 keeps all.
  topP: u32,
  // Difference from the largest logit below which no token is kept.
  floor: f32,
}

struct Request {
  // Index of the row's first logit.
  base: u32,
  // The random number as a share of 2^32.
  draw: u32,
  // The token whose log-probability is asked, or NO_TOKEN to draw one.
  token: u32,
}

struct Choice {
  token: u32,
  logprob: f32,
}

@group(0) @binding(0) var<uniform> tokenFilter: Filter;
@group(0) @binding(1) var<storage, read> requests: array<Request>;
@group(0) @binding(2) var<storage, read> logits: array<u32>;
@group(0) @binding(3) var<storage, read_write> choices: array<Choice>;

// Whether logits are 16-bit floats, two in a word.
override HALF: bool = false;

const THREADS = 256u;
// One bin for each thread: the ranking is searched eight bits at a time.
const BINS = THREADS;
const NO_TOKEN = 0xffffffffu;
const NOT_A_NUMBER = 0xfffffffeu;
const NOT_FINITE = 0xfffffffdu;
const EXPONENT = 0x7f800000u;
const ONE = 2147483648.0;
// e^x is as good as 0 below; the range of the exponential need not be tried.
const LEAST_EXPONENT = -80.0;

var<workgroup> bins: array<atomic<u32>, BINS>;
var<workgroup> parts: array<u32, THREADS>;
var<workgroup> sums: array<f32, THREADS>;
var<workgroup> found: vec2u;
var<workgroup> chosen: u32;

// The logit's bits as a 32-bit float, with one zero only.
fn bitsOf(index: u32) -> u32 {
  var bits: u32;
  if (HALF) {
    let half = (logits[index >> 1u] >> (16u * (index & 1u))) & 0xffffu;
    if ((half & 0x7c00u) == 0x7c00u) {
      bits = ((half & 0x8000u) << 16u) | EXPONENT | ((half & 0x3ffu) << 13u);
    } else {
      bits = bitcast<u32>(unpack2x16float(half).x);
    }
  } else {
    bits = logits[index];
  }
  return select(bits, 0u, bits == 0x80000000u);
}

// Larger for larger logits.
fn rankOf(bits: u32) -> u32 {
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

fn bitsOfRank(rank: u32) -> u32 {
  return select(~rank, rank & 0x7fffffffu, rank >= 0x80000000u);
}

fn isFinite(bits: u32) -> bool {
  return (bits & EXPONENT) != EXPONENT;
}

// e^((logit - largest) / temperature); infinities never reach the arithmetic, which need not know them.
fn weightOf(bits: u32, largest: f32, temperature: f32) -> f32 {
  if (!isFinite(bits)) {
    return 0.0;
  }
  let exponent = (bitcast<f32>(bits) - largest) / temperature;
  return select(0.0, exp(exponent), exponent > LEAST_EXPONENT);
}

// High word of a product of two words.
fn mulHigh(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

// A row with what is known of it.
struct Row {
  base: u32,
  largest: f32,
  // Sum of the weights at the filter's temperature.
  total: f32,
}

// The probability at the filter's temperature.
fn shareOf(bits: u32, row: Row) -> u32 {
  return u32(weightOf(bits, row.largest, tokenFilter.temperature) / row.total * ONE + 0.5);
}

fn isAboveFloor(bits: u32, row: Row) -> bool {
  return isFinite(bits) && bitcast<f32>(bits) - row.largest >= tokenFilter.floor;
}

// A place in the ranking by likelihood, where the smaller id goes first among equals: the bits of the logit there,
// and what of those equals is before the place.
struct Place {
  rank: u32,
  before: u32,
}

// The place at which the ranking's sum exceeds `target`: of shares, or of tokens. Eight bits of the rank at a time.
fn placeOf(target_: u32, byShare: bool, row: Row, thread: u32) -> Place {
  var rank = 0u;
  var known = 0u;
  var rest = target_;
  for (var shift = 32u; shift > 0u;) {
    shift -= 8u;
    atomicStore(&bins[thread], 0u);
    workgroupBarrier();
    for (var token = thread; token < tokenFilter.vocabulary; token += THREADS) {
      let bits = bitsOf(row.base + token);
      let own = rankOf(bits);
      if ((own & known) == rank) {
        var amount = 1u;
        if (byShare) {
          amount = shareOf(bits, row);
        }
        if (amount > 0u) {
          atomicAdd(&bins[(own >> shift) & 255u], amount);
        }
      }
    }
    workgroupBarrier();
    if (thread == 0u) {
      var bin = BINS - 1u;
      loop {
        let amount = atomicLoad(&bins[bin]);
        if (amount > rest || bin == 0u) {
          break;
        }
        rest -= amount;
        bin -= 1u;
      }
      found = vec2u(bin, rest);
    }
    let at = workgroupUniformLoad(&found);
    rank |= at.x << shift;
    known |= 255u << shift;
    rest = at.y;
  }
  return Place(rank, rest);
}

// Sum of what all threads hold.
fn sumOfParts(own: u32, thread: u32) -> u32 {
  parts[thread] = own;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      parts[thread] += parts[thread + half];
    }
  }
  return workgroupUniformLoad(&parts[0]);
}

fn sumOf(own: f32, thread: u32) -> f32 {
  sums[thread] = own;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
  }
  return workgroupUniformLoad(&sums[0]);
}

// Sum of the shares above a place, and of `equals` tokens at it, as far as they are above the floor.
fn keptShare(rank: u32, equals: u32, row: Row, thread: u32) -> u32 {
  var own = 0u;
  for (var token = thread; token < tokenFilter.vocabulary; token += THREADS) {
    let bits = bitsOf(row.base + token);
    if (rankOf(bits) > rank && isAboveFloor(bits, row)) {
      own += shareOf(bits, row);
    }
  }
  let bits = bitsOfRank(rank);
  if (thread == 0u && isAboveFloor(bits, row)) {
    own += equals * shareOf(bits, row);
  }
  return sumOfParts(own, thread);
}

// What a token counts in the order of ids: its share, or 1 if it has the rank that is looked for.
fn amountOf(token: u32, byShare: bool, rank: u32, row: Row) -> u32 {
  let bits = bitsOf(row.base + token);
  if (!byShare) {
    return select(0u, 1u, rankOf(bits) == rank);
  }
  if (!isAboveFloor(bits, row)) {
    return 0u;
  }
  return shareOf(bits, row);
}

// The token at which the sum in the order of ids exceeds the target: a count of equals, or a draw by shares.
fn tokenInOrder(target_: u32, byShare: bool, rank: u32, row: Row, thread: u32) -> u32 {
  let size = (tokenFilter.vocabulary + THREADS - 1u) / THREADS;
  let first = thread * size;
  let last = min(first + size, tokenFilter.vocabulary);
  var own = 0u;
  for (var token = first; token < last; token++) {
    own += amountOf(token, byShare, rank, row);
  }
  let whole = sumOfParts(own, thread);
  let goal = select(target_, mulHigh(whole, target_), byShare);
  parts[thread] = own;
  workgroupBarrier();
  if (thread == 0u) {
    var rest = goal;
    var part = 0u;
    while (part < THREADS - 1u && parts[part] <= rest) {
      rest -= parts[part];
      part++;
    }
    found = vec2u(part, rest);
  }
  let at = workgroupUniformLoad(&found);
  if (thread == at.x) {
    var rest = at.y;
    for (var token = first; token < last; token++) {
      let amount = amountOf(token, byShare, rank, row);
      if (amount > rest) {
        chosen = token;
        break;
      }
      rest -= amount;
    }
  }
  return workgroupUniformLoad(&chosen);
}

// Draws from what top-k, then top-p, then min-p leave of the ranking.
fn drawRanked(draw: u32, row: Row, thread: u32) -> u32 {
  // All that has a share.
  var rank = 0u;
  var equals = 0u;
  if (tokenFilter.topK > 0u) {
    let place = placeOf(tokenFilter.topK - 1u, false, row, thread);
    rank = place.rank;
    equals = place.before + 1u;
  }
  if (tokenFilter.topP > 0u) {
    var own = 0u;
    for (var token = thread; token < tokenFilter.vocabulary; token += THREADS) {
      let bits = bitsOf(row.base + token);
      if (rankOf(bits) > rank) {
        own += shareOf(bits, row);
      }
    }
    if (thread == 0u) {
      own += equals * shareOf(bitsOfRank(rank), row);
    }
    let whole = sumOfParts(own, thread);
    // The token that reaches the share is kept, and none after it.
    let reached = max(1u, mulHigh(whole, tokenFilter.topP));
    let place = placeOf(reached - 1u, true, row, thread);
    rank = place.rank;
    equals = place.before / max(1u, shareOf(bitsOfRank(rank), row)) + 1u;
  }
  let kept = keptShare(rank, equals, row, thread);
  let place = placeOf(mulHigh(kept, draw), true, row, thread);
  let share = max(1u, shareOf(bitsOfRank(place.rank), row));
  return tokenInOrder(place.before / share, false, place.rank, row, thread);
}

@compute @workgroup_size(256)
fn choose(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let request = requests[group.x];

  var best = 0u;
  var nan = false;
  for (var token = thread; token < tokenFilter.vocabulary; token += THREADS) {
    let bits = bitsOf(request.base + token);
    nan = nan || (bits & 0x7fffffffu) > EXPONENT;
    best = max(best, rankOf(bits));
  }
  let isWrong = sumOfParts(select(0u, 1u, nan), thread) > 0u;
  parts[thread] = best;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      parts[thread] = max(parts[thread], parts[thread + half]);
    }
  }
  best = workgroupUniformLoad(&parts[0]);
  let bits = bitsOfRank(best);
  if (isWrong || !isFinite(bits)) {
    if (thread == 0u) {
      choices[group.x] = Choice(select(NOT_FINITE, NOT_A_NUMBER, isWrong), 0.0);
    }
    return;
  }

  let largest = bitcast<f32>(bits);
  var own = 0.0;
  for (var token = thread; token < tokenFilter.vocabulary; token += THREADS) {
    own += weightOf(bitsOf(request.base + token), largest, 1.0);
  }
  let plainTotal = sumOf(own, thread);

  var token = request.token;
  if (token == NO_TOKEN) {
    if (tokenFilter.temperature == 0.0) {
      token = tokenInOrder(0u, false, best, Row(request.base, largest, 1.0), thread);
    } else {
      var total = plainTotal;
      if (tokenFilter.temperature != 1.0) {
        own = 0.0;
        for (var i = thread; i < tokenFilter.vocabulary; i += THREADS) {
          own += weightOf(bitsOf(request.base + i), largest, tokenFilter.temperature);
        }
        total = sumOf(own, thread);
      }
      let row = Row(request.base, largest, total);
      if (tokenFilter.topK > 0u || tokenFilter.topP > 0u) {
        token = drawRanked(request.draw, row, thread);
      } else {
        token = tokenInOrder(request.draw, true, 0u, row, thread);
      }
    }
  }
  if (thread == 0u) {
    let logit = bitcast<f32>(bitsOf(request.base + token));
    choices[group.x] = Choice(token, logit - largest - log(plainTotal));
  }
}
