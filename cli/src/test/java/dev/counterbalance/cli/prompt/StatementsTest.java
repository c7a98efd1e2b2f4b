package dev.counterbalance.cli.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatementsTest {
  @Test
  void cutsAtSemicolons() {
    Statements two = Statements.of("SELECT 1; SELECT 2;");
    assertThat(two.complete()).containsExactly("SELECT 1", "SELECT 2");
    assertThat(two.rest()).isEmpty();
    assertThat(Statements.of("SELECT 1").rest()).isEqualTo("SELECT 1");
    assertThat(Statements.of(" ;; \n;").complete()).isEmpty();
  }

  @Test
  void leavesQuotedSemicolonsAlone() {
    assertThat(
            Statements.of("SELECT ';', \";\", 'it''s;' -- ;\n, $$;$$, $a$;$$;$a$ /* ; */;")
                .complete())
        .hasSize(1);
    assertThat(Statements.of("SELECT $1, a$b$; SELECT $2;").complete()).hasSize(2);
  }

  @Test
  void tellsWhatIsOpen() {
    assertThat(Statements.of("SELECT 'a;").open()).isEqualTo("'");
    assertThat(Statements.of("SELECT \"a;").open()).isEqualTo("\"");
    assertThat(Statements.of("SELECT 1; /* a;").open()).isEqualTo("/*");
    assertThat(Statements.of("SELECT $$ a;").open()).isEqualTo("$");
    assertThat(Statements.of("SELECT 1;").open()).isEmpty();
  }

  @Test
  void commentsAloneAreNothing() {
    Statements comment = Statements.of("SELECT 1; -- done\n /* really */ ");
    assertThat(comment.complete()).containsExactly("SELECT 1");
    assertThat(comment.rest()).isEmpty();
  }

  @Test
  void aLineIsDoneWhenItCanRun() {
    assertThat(SqlParser.isDone("")).isTrue();
    assertThat(SqlParser.isDone("\\d latency")).isTrue();
    assertThat(SqlParser.isDone("quit")).isTrue();
    assertThat(SqlParser.isDone("SELECT 1;")).isTrue();
    assertThat(SqlParser.isDone("SELECT 1; SELECT")).isFalse();
    assertThat(SqlParser.isDone("SELECT ';'")).isFalse();
  }
}
