// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// What folding makes of arithmetic on constants. That it computes right, for all operations, types and attributes, is tested against the interpreter. The
// values are kept alive by an operation of which nothing is known.

cuda_tile.module @arithmetic {
  // CHECK-LABEL: @integers
  // CHECK-DAG: %[[SUM:.*]] = constant <i8: -128> : tile<i8>
  // CHECK-DAG: %[[HIGH:.*]] = constant <i8: [63, 126]> : tile<2xi8>
  // CHECK-DAG: %[[FLOOR:.*]] = constant <i8: -3> : tile<i8>
  // CHECK-DAG: %[[CEIL:.*]] = constant <i8: 2> : tile<i8>
  // CHECK-DAG: %[[LESS:.*]] = constant <i1: [false, true]> : tile<2xi1>
  // CHECK: "t.use"(%[[SUM]], %[[HIGH]], %[[FLOOR]], %[[CEIL]], %[[LESS]])
  entry @integers() {
    %max = constant <i8: 127> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %minus5 = constant <i8: -5> : tile<i8>
    %two = constant <i8: 2> : tile<i8>
    %a = constant <i8: [127, -1]> : tile<2xi8>
    %b = constant <i8: [127, 127]> : tile<2xi8>
    %three = constant <i8: 3> : tile<i8>
    %sum = addi %max, %one : tile<i8>
    %high = mulhii %a, %b : tile<2xi8>
    %floor = divi %minus5, %two signed rounding<negative_inf> : tile<i8>
    %ceil = divi %three, %two unsigned rounding<positive_inf> : tile<i8>
    %less = cmpi less_than %b, %a, unsigned : tile<2xi8> -> tile<2xi1>
    "t.use"(%sum, %high, %floor, %ceil, %less) : (!cuda_tile.tile<i8>, !cuda_tile.tile<2xi8>, !cuda_tile.tile<i8>, !cuda_tile.tile<i8>, !cuda_tile.tile<2xi1>) -> ()
    return
  }

  // What has no meaning is left as it is: in one element, the whole tile.
  // CHECK-LABEL: @undefined
  // CHECK: divi %{{.*}}, %{{.*}} signed : tile<i32>
  // CHECK: divi %{{.*}}, %{{.*}} signed : tile<2xi32>
  // CHECK: remi %{{.*}}, %{{.*}} unsigned : tile<i32>
  // CHECK: shli %{{.*}}, %{{.*}} : tile<i32>
  // CHECK: shri %{{.*}}, %{{.*}} signed : tile<2xi32>
  // CHECK: ftoi %{{.*}} signed {{.*}}: tile<f32> -> tile<i32>
  // CHECK-NOT: remi
  // CHECK: "t.use"
  entry @undefined() {
    %five = constant <i32: 5> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %least = constant <i32: [-2147483648, 7]> : tile<2xi32>
    %minus1 = constant <i32: [-1, -1]> : tile<2xi32>
    %width = constant <i32: 32> : tile<i32>
    %widths = constant <i32: [31, 32]> : tile<2xi32>
    %inf = constant <f32: 0x7F800000> : tile<f32>
    %0 = divi %five, %zero signed : tile<i32>
    %1 = divi %least, %minus1 signed : tile<2xi32>
    %2 = remi %five, %zero unsigned : tile<i32>
    %3 = shli %five, %width : tile<i32>
    %4 = shri %least, %widths signed : tile<2xi32>
    %5 = ftoi %inf signed : tile<f32> -> tile<i32>
    // The remainder of that division is zero.
    %6 = remi %least, %minus1 signed : tile<2xi32>
    "t.use"(%0, %1, %2, %3, %4, %5, %6) : (!cuda_tile.tile<i32>, !cuda_tile.tile<2xi32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<2xi32>, !cuda_tile.tile<i32>, !cuda_tile.tile<2xi32>) -> ()
    return
  }

  // A promise that does not hold keeps the operation; one that holds does not.
  // CHECK-LABEL: @promises
  // CHECK-DAG: %[[ONE:.*]] = constant <i8: 1> : tile<i8>
  // CHECK-DAG: %[[MAX:.*]] = constant <i8: 127> : tile<i8>
  // CHECK-DAG: %[[HALF:.*]] = constant <i8: -128> : tile<i8>
  // CHECK: %[[WRAPS:.*]] = addi %[[MAX]], %[[ONE]] overflow<no_signed_wrap> : tile<i8>
  // CHECK-NEXT: %[[LOSES:.*]] = trunci %{{.*}} overflow<no_wrap> : tile<i32> -> tile<i8>
  // CHECK-NEXT: "t.use"(%[[WRAPS]], %[[HALF]], %[[LOSES]], %[[MAX]])
  entry @promises() {
    %max = constant <i8: 127> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %big = constant <i32: 384> : tile<i32>
    %small = constant <i32: 127> : tile<i32>
    %0 = addi %max, %one overflow<no_signed_wrap> : tile<i8>
    %1 = addi %max, %one overflow<no_unsigned_wrap> : tile<i8>
    %2 = trunci %big overflow<no_wrap> : tile<i32> -> tile<i8>
    %3 = trunci %small overflow<no_wrap> : tile<i32> -> tile<i8>
    "t.use"(%0, %1, %2, %3) : (!cuda_tile.tile<i8>, !cuda_tile.tile<i8>, !cuda_tile.tile<i8>, !cuda_tile.tile<i8>) -> ()
    return
  }

  // CHECK-LABEL: @floats
  // CHECK-DAG: %[[DOWN:.*]] = constant <f32: 1.000000e+00> : tile<f32>
  // CHECK-DAG: %[[UP:.*]] = constant <f32: 1.00000012> : tile<f32>
  // CHECK-DAG: %[[FLUSHED:.*]] = constant <f32: 0.000000e+00> : tile<f32>
  // CHECK-DAG: %[[SUBNORMAL:.*]] = constant <f32: 1.401300e-45> : tile<f32>
  // CHECK-DAG: %[[NAN:.*]] = constant <f16: 0x7E00> : tile<f16>
  // CHECK-DAG: %[[NUMBER:.*]] = constant <f16: 2.000000e+00> : tile<f16>
  // CHECK-DAG: %[[ROOT:.*]] = constant <bf16: 1.414060e+00> : tile<bf16>
  // CHECK-DAG: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK: "t.use"(%[[DOWN]], %[[UP]], %[[FLUSHED]], %[[SUBNORMAL]], %[[NAN]], %[[NUMBER]], %[[ROOT]], %[[TRUE]])
  entry @floats() {
    %one = constant <f32: 1.0> : tile<f32>
    %tiny = constant <f32: 0x33000000> : tile<f32>
    %least = constant <f32: 0x00000001> : tile<f32>
    %0 = addf %one, %tiny rounding<zero> : tile<f32>
    %1 = addf %one, %tiny rounding<positive_inf> : tile<f32>
    %2 = mulf %least, %one flush_to_zero : tile<f32>
    %3 = mulf %least, %one : tile<f32>
    %nan = constant <f16: 0x7E01> : tile<f16>
    %two = constant <f16: 2.0> : tile<f16>
    %4 = maxf %nan, %two propagate_nan : tile<f16>
    %5 = maxf %nan, %two : tile<f16>
    %b = constant <bf16: 2.0> : tile<bf16>
    %6 = sqrt %b : tile<bf16>
    %7 = cmpf less_than unordered %nan, %two : tile<f16> -> tile<i1>
    "t.use"(%0, %1, %2, %3, %4, %5, %6, %7) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f16>, !cuda_tile.tile<f16>, !cuda_tile.tile<bf16>, !cuda_tile.tile<i1>) -> ()
    return
  }

  // A function folds where its result is certain to be correctly rounded: not in f64, and not where an approximation was asked for.
  // CHECK-LABEL: @functions
  // CHECK-DAG: %[[E:.*]] = constant <f32: 2.71828175> : tile<f32>
  // CHECK-DAG: %[[POWER:.*]] = constant <f16: 8.000000e+00> : tile<f16>
  // CHECK-DAG: %[[ONE:.*]] = constant <f64: 1.000000e+00> : tile<f64>
  // CHECK: %[[APPROX:.*]] = exp %{{.*}} rounding<approx> : tile<f32>
  // CHECK-NEXT: %[[RATIO:.*]] = divf %{{.*}}, %{{.*}} rounding<approx> : tile<f32>
  // CHECK-NEXT: %[[DOUBLE:.*]] = exp %{{.*}} : tile<f64>
  // CHECK-NEXT: "t.use"(%[[E]], %[[APPROX]], %[[RATIO]], %[[DOUBLE]], %[[ONE]], %[[POWER]])
  entry @functions() {
    %one = constant <f32: 1.0> : tile<f32>
    %0 = exp %one : tile<f32>
    %1 = exp %one rounding<approx> : tile<f32>
    %2 = divf %one, %one rounding<approx> : tile<f32>
    %d = constant <f64: 1.0> : tile<f64>
    %zero = constant <f64: 0.0> : tile<f64>
    %3 = exp %d : tile<f64>
    %4 = exp %zero : tile<f64>
    %two = constant <f16: 2.0> : tile<f16>
    %three = constant <f16: 3.0> : tile<f16>
    %5 = fpowf %two, %three : tile<f16>
    "t.use"(%0, %1, %2, %3, %4, %5) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f64>, !cuda_tile.tile<f64>, !cuda_tile.tile<f16>) -> ()
    return
  }

  // CHECK-LABEL: @conversions
  // CHECK-DAG: %[[F8:.*]] = constant <f8E4M3FN: 4.480000e+02> : tile<f8E4M3FN>
  // CHECK-DAG: %[[TF32:.*]] = constant <tf32: 1.000000e+00> : tile<tf32>
  // CHECK-DAG: %[[SIGNED:.*]] = constant <f16: -1.000000e+00> : tile<f16>
  // CHECK-DAG: %[[UNSIGNED:.*]] = constant <f16: 2.550000e+02> : tile<f16>
  // CHECK-DAG: %[[INT:.*]] = constant <i32: -7> : tile<i32>
  // CHECK-DAG: %[[CLAMPED:.*]] = constant <i8: -128> : tile<i8>
  // CHECK-DAG: %[[BITS:.*]] = constant <i32: -1057030144> : tile<i32>
  // CHECK-DAG: %[[F4:.*]] = constant <f4E2M1FN: 6.000000e+00> : tile<2xf4E2M1FN>
  // CHECK: "t.use"(%[[F8]], %[[TF32]], %[[SIGNED]], %[[UNSIGNED]], %[[INT]], %[[CLAMPED]], %[[BITS]], %[[F4]])
  entry @conversions() {
    %big = constant <f32: 1.0e+9> : tile<f32>
    %near = constant <f32: 0x3F800001> : tile<f32>
    %ones = constant <i8: -1> : tile<i8>
    %x = constant <f32: -7.96875> : tile<f32>
    %low = constant <f32: -1000.0> : tile<f32>
    %0 = ftof %big : tile<f32> -> tile<f8E4M3FN>
    %1 = ftof %near : tile<f32> -> tile<tf32>
    %2 = itof %ones signed : tile<i8> -> tile<f16>
    %3 = itof %ones unsigned : tile<i8> -> tile<f16>
    %4 = ftoi %x signed : tile<f32> -> tile<i32>
    %5 = ftoi %low signed saturating : tile<f32> -> tile<i8>
    %6 = bitcast %x : tile<f32> -> tile<i32>
    %bigs = constant <f32: 1.0e+9> : tile<2xf32>
    %7 = ftof %bigs : tile<2xf32> -> tile<2xf4E2M1FN>
    "t.use"(%0, %1, %2, %3, %4, %5, %6, %7) : (!cuda_tile.tile<f8E4M3FN>, !cuda_tile.tile<tf32>, !cuda_tile.tile<f16>, !cuda_tile.tile<f16>, !cuda_tile.tile<i32>, !cuda_tile.tile<i8>, !cuda_tile.tile<i32>, !cuda_tile.tile<2xf4E2M1FN>) -> ()
    return
  }
}
