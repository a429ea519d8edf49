// not a test: Inputs are left out
