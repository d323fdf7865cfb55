package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"vision/stream/account"
)

// PasswordCmd prints the argon2id form of a password for `accounts:`.
type PasswordCmd struct{}

// Run reads one line from standard input.
func (PasswordCmd) Run() error {
	fmt.Fprint(os.Stderr, "password: ")
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if len(line) < 8 {
		return errors.Join(errors.New("password: want at least 8 characters"), err)
	}
	hash, err := account.HashPassword(line)
	if err != nil {
		return err
	}
	fmt.Println(hash)
	return nil
}
