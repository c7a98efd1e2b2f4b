/** Tables and figures as text, CSV, JSON and Markdown; the only place that escapes names. */
package dev.counterbalance.cli.render;
