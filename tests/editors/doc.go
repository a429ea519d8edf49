// Package editors tries the settings of the folder editors in the editors themselves, as far as they are installed.
package editors
