;; The scans over one row of logits that choose-token.ts asks for, four logits at a time. A vocabulary can have 150,000
;; tokens, and what it takes to look at each of them is most of what choosing a token costs. No function calls another:
;; the engines that do not inline take twice as long then.
;;
;; A row is `size` float32, a multiple of 8, padded with minus infinity. Where things lie is said by scan-row.ts.
(module
  (memory (export "memory") 1)

  ;; The largest logit; NaN if one is none.
  (func (export "largest") (param $row i32) (param $size i32) (result f32)
    (local $end i32) (local $max v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $size) (i32.const 2))))
    (local.set $max (v128.const f32x4 -inf -inf -inf -inf))
    (loop $next
      (local.set $max (f32x4.max (local.get $max) (v128.load (local.get $row))))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $max)) (f32x4.extract_lane 1 (local.get $max)))
      (f32.max (f32x4.extract_lane 2 (local.get $max)) (f32x4.extract_lane 3 (local.get $max)))))

  ;; Writes e^x for x = (logit - max) * $scale, 0 for an x of -40 and less and where logit - max is less than $floor.
  ;; Relative error 2e-7: x = k ln 2 + r, and a polynomial of the least greatest error for e^r (Cephes, expf).
  (func (export "weigh")
    (param $row i32) (param $size i32) (param $max f32) (param $scale f32) (param $floor f32) (param $weights i32)
    (local $end i32) (local $below v128) (local $x v128) (local $k v128) (local $r v128) (local $p v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $size) (i32.const 2))))
    (loop $next
      (local.set $below (f32x4.sub (v128.load (local.get $row)) (f32x4.splat (local.get $max))))
      (local.set $x (f32x4.mul (local.get $below) (f32x4.splat (local.get $scale))))
      (local.set $k (f32x4.nearest
        (f32x4.mul (local.get $x) (v128.const f32x4 1.44269504 1.44269504 1.44269504 1.44269504))))
      (local.set $r (f32x4.sub (local.get $x)
        (f32x4.mul (local.get $k) (v128.const f32x4 0.693359375 0.693359375 0.693359375 0.693359375))))
      (local.set $r (f32x4.add (local.get $r)
        (f32x4.mul (local.get $k) (v128.const f32x4 2.12194440e-4 2.12194440e-4 2.12194440e-4 2.12194440e-4))))
      (local.set $p (v128.const f32x4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r))
        (v128.const f32x4 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r))
        (v128.const f32x4 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r))
        (v128.const f32x4 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r))
        (v128.const f32x4 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r))
        (v128.const f32x4 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1)))
      (local.set $p (f32x4.mul (local.get $p) (f32x4.mul (local.get $r) (local.get $r))))
      (local.set $p (f32x4.add (f32x4.add (local.get $p) (local.get $r)) (v128.const f32x4 1 1 1 1)))
      ;; Times 2^k, by its bits; what is no number after that is masked out.
      (local.set $p (f32x4.mul (local.get $p)
        (i32x4.shl (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $k)) (v128.const i32x4 127 127 127 127)) (i32.const 23))))
      (v128.store (local.get $weights)
        (v128.and (local.get $p)
          (v128.and
            (f32x4.gt (local.get $x) (v128.const f32x4 -40 -40 -40 -40))
            (f32x4.ge (local.get $below) (f32x4.splat (local.get $floor))))))
      (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end)))))

  ;; Sum of `size` weights.
  (func (export "sum") (param $weights i32) (param $size i32) (result f64)
    (local $end i32) (local $four v128) (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $weights) (i32.shl (local.get $size) (i32.const 2))))
    (loop $next
      (local.set $four (v128.load (local.get $weights)))
      (local.set $low (f64x2.add (local.get $low) (f64x2.promote_low_f32x4 (local.get $four))))
      (local.set $high (f64x2.add (local.get $high) (f64x2.promote_low_f32x4
        (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four)))))
      (br_if $next (i32.lt_u (local.tee $weights (i32.add (local.get $weights) (i32.const 16))) (local.get $end))))
    (local.set $low (f64x2.add (local.get $low) (local.get $high)))
    (f64.add (f64x2.extract_lane 0 (local.get $low)) (f64x2.extract_lane 1 (local.get $low))))

  ;; Writes the cell (uint16) of each logit, 64 to a unit of x = (logit - max) * $scale, 2560 for all of -40 and less.
  (func (export "find_cells")
    (param $row i32) (param $size i32) (param $max f32) (param $scale f32) (param $cells i32)
    (local $end i32) (local $cell v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $size) (i32.const 2))))
    (loop $next
      (local.set $cell (i32x4.min_u
        (i32x4.trunc_sat_f32x4_u
          (f32x4.mul
            (f32x4.mul (f32x4.sub (v128.load (local.get $row)) (f32x4.splat (local.get $max))) (f32x4.splat (local.get $scale)))
            (v128.const f32x4 -64 -64 -64 -64)))
        (v128.const i32x4 2560 2560 2560 2560)))
      (v128.store64_lane 0 (local.get $cells) (i16x8.narrow_i32x4_u (local.get $cell) (local.get $cell)))
      (local.set $cells (i32.add (local.get $cells) (i32.const 8)))
      (br_if $next (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end)))))

  ;; Adds to each cell's sums, which are four float64: weight and number of its tokens of even index, then of odd index.
  ;; Neighbours are often of one cell, and a sum that was just written is slow to read.
  (func (export "add_to_cells") (param $cells i32) (param $weights i32) (param $size i32) (param $sums i32)
    (local $end i32) (local $at i32)
    (local.set $end (i32.add (local.get $cells) (i32.shl (local.get $size) (i32.const 1))))
    (loop $next
      (local.set $at (i32.add (local.get $sums) (i32.shl (i32.load16_u (local.get $cells)) (i32.const 5))))
      (v128.store (local.get $at) (f64x2.add (v128.load (local.get $at))
        (f64x2.replace_lane 0 (v128.const f64x2 0 1) (f64.promote_f32 (f32.load (local.get $weights))))))
      (local.set $at (i32.add (local.get $sums) (i32.shl (i32.load16_u offset=2 (local.get $cells)) (i32.const 5))))
      (v128.store offset=16 (local.get $at) (f64x2.add (v128.load offset=16 (local.get $at))
        (f64x2.replace_lane 0 (v128.const f64x2 0 1) (f64.promote_f32 (f32.load offset=4 (local.get $weights))))))
      (local.set $weights (i32.add (local.get $weights) (i32.const 8)))
      (br_if $next (i32.lt_u (local.tee $cells (i32.add (local.get $cells) (i32.const 4))) (local.get $end)))))

  ;; Writes the indices (int32) at which a cell stands among `size`. Returns how many there are.
  (func (export "members_of") (param $cells i32) (param $size i32) (param $cell i32) (param $found i32) (result i32)
    (local $at i32) (local $bits i32) (local $wanted v128) (local $start i32)
    (local.set $wanted (i16x8.splat (local.get $cell)))
    (local.set $start (local.get $found))
    (loop $next
      (local.set $bits (i16x8.bitmask (i16x8.eq (local.get $wanted)
        (v128.load (i32.add (local.get $cells) (i32.shl (local.get $at) (i32.const 1)))))))
      (block $none
        (loop $member
          (br_if $none (i32.eqz (local.get $bits)))
          (i32.store (local.get $found) (i32.add (local.get $at) (i32.ctz (local.get $bits))))
          (local.set $found (i32.add (local.get $found) (i32.const 4)))
          (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
          (br $member)))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $size))))
    (i32.shr_u (i32.sub (local.get $found) (local.get $start)) (i32.const 2))))
