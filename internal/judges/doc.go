// Package judges locates the outside tools that the tests compare the compiler with: ptxas, tileiras, tileirdisasm,
// nvdisasm, cuobjdump, nvcc, a Python that can import the cuda.tile producer, and one that can import Triton.
//
// The script .ci/judges.sh installs them from public Python packages into a virtual environment outside the checkout;
// this package looks where that script puts them: the folder TILEWRIGHT_JUDGES names, else the user's cache folder
// under the hash of .ci/judges.txt. Nothing of the product needs a judge.
//
// A test that asks for an absent judge is skipped with the command that installs it, but only on a workstation, as with an
// absent corpus (package corpus): with CI=true the test fails instead, so that a green run has been judged.
package judges
