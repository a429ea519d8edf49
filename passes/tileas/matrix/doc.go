// Package matrix stands between dots and the target's table of matrix instructions (sm.Matrices): which row computes a dot, and in which layouts its operands are
// then. Rows are chosen by what the target has, never by its name, in the order of the table. The passes that legalise dots, give them layouts and lower them
// share it; what they tell each other is in the dot's attribute #nv_tileas.mma.
package matrix
