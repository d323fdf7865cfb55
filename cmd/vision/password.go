package main

import (
	"bufio"
	"fmt"
	"os"

	"vision/stream/account"
)

// PasswordCmd prints the argon2id form of a password for `accounts:`.
type PasswordCmd struct{}

// Run reads one line from standard input.
func (PasswordCmd) Run() error {
	line, err := secret(bufio.NewReader(os.Stdin), "password: ")
	if err != nil {
		return err
	}
	if err := account.CheckChoice(line); err != nil {
		return err
	}
	hash, err := account.HashPassword(line)
	if err != nil {
		return err
	}
	fmt.Println(hash)
	return nil
}
