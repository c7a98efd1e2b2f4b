/** What the SQL prompt knows of its input: where statements end, which names complete a word. */
package dev.counterbalance.cli.prompt;
