//! cutile-client ARCHITECTURE FOLDER compiles its kernels with the tileiras that cutile-rs finds, and writes the bytecode and the cubin of each.

use cutile::compile_api::KernelCompiler;
use cutile_compiler::cuda_tile_runtime_utils::{run_tileiras, TileirasOptions};

#[cutile::module]
mod kernels {
    use cutile::core::*;

    #[cutile::entry()]
    fn add<const B: i32>(z: &mut Tensor<f32, { [B] }>, x: &Tensor<f32, { [-1] }>, y: &Tensor<f32, { [-1] }>) {
        let a = x.load_like(z);
        let b = y.load_like(z);
        z.store(a + b);
    }

    #[cutile::entry()]
    fn product<const M: i32, const N: i32, const K: i32>(
        z: &mut Tensor<f32, { [M, N] }>,
        x: &Tensor<f16, { [-1, -1] }>,
        y: &Tensor<f16, { [-1, -1] }>,
    ) {
        let place: (i32, i32, i32) = get_tile_block_id();
        let rows = x.partition(shape![M, K]);
        let columns = y.partition(shape![K, N]);
        let mut sum: Tile<f32, { [M, N] }> = constant(0.0f32, shape![M, N]);
        let depth: i32 = get_shape_dim(x.shape(), 1i32);
        for k in 0i32..ceil_div(depth, K) {
            let a = rows.load([place.0, k]);
            let b = columns.load([k, place.1]);
            sum = mma(a, b, sum);
        }
        z.store(sum);
    }
}

type Kernel = (&'static str, &'static [&'static str], &'static [(&'static str, &'static [i32])]);

const KERNELS: &[Kernel] = &[
    ("add", &["128"], &[("z", &[1]), ("x", &[1]), ("y", &[1])]),
    ("product", &["64", "64", "32"], &[("z", &[-1, 1]), ("x", &[-1, 1]), ("y", &[-1, 1])]),
];

fn compile(gpu: &str, folder: &str) {
    for (name, generics, strides) in KERNELS {
        let kernel = KernelCompiler::new(kernels::__module_ast_self, "kernels", name)
            .generics(generics.iter().map(|g| g.to_string()).collect())
            .strides(strides)
            .target(gpu)
            .compile()
            .expect(name);
        let bytecode = kernel.bytecode().expect(name);
        let cubin = run_tileiras(&bytecode, gpu, &TileirasOptions::default()).expect(name);
        std::fs::write(format!("{folder}/{name}.tilebc"), bytecode).expect(name);
        std::fs::write(format!("{folder}/{name}.cubin"), cubin).expect(name);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    // Its compiler recurses deeply.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || compile(&args[1], &args[2]));
    thread.expect("a thread").join().expect("all kernels");
}
