// Package judges locates the outside tools that the tests compare the compiler with: ptxas, tileiras, tileirdisasm,
// nvdisasm, cuobjdump and nvcc. It also locates a Python that can import the cuda.tile producer, and one that can
// import Triton.
//
// The script .ci/judges.sh installs them from public Python packages into a virtual environment outside the checkout.
// This package looks where that script puts them: in the folder that TILEWRIGHT_JUDGES names, else in the user's cache
// folder under the hash of .ci/judges.txt. Nothing but tests needs a judge. A Rust compiler, which .ci/run installs,
// counts as one too.
//
// A test that asks for an absent judge is skipped with the command that installs it, but only on a workstation. With
// CI=true the test fails instead, so that every judge was used if the run is green. Package corpus does the same for
// an absent corpus.
package judges
