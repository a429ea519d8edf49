// Package matrix knows which matrix instruction of a target computes a dot. Instructions are chosen by what the target has (package sm), never by its name, and the
// widest in K comes first. The passes that legalise dots and give them layouts share it.
package matrix
