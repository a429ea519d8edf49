// Package view serves the report of a kernel (package report) to a browser on the same machine. It compiles again when
// the file changes or when the page asks for other flags.
//
// # Who may ask
//
// A server on the loopback interface can be reached by every page that the browser has open, and by every user of the
// machine. So a request is answered only if all of this holds:
//
//   - It comes from the loopback interface, to which the listener is bound.
//   - Its path begins with the token, 256 random bits that only the reader of the program's output knows.
//   - Its Host is the address that was printed. The name of another host that was made to lead here (DNS rebinding) is
//     not.
//   - Its Origin, and what the browser says of the page that asked (Sec-Fetch-Site), are of the page itself, or there
//     are none.
//
// There are three places: the page, its state, and its flags. No path leads to a file. A page shows the kernel, and
// the sources that its locations name from the folders that the server was given. The default is the kernel's folder,
// and a link that leads out of the folders does not count. Flags are a target, a level, a number of stages and names
// of passes, each from a list.
package view
