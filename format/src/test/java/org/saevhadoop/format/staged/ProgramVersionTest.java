package org.saevhadoop.format.staged;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code --version} says of builds in a repository, of archives of its sources, and others.
 */
class ProgramVersionTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  /** What git archive replaces, in files that it has not written. */
  private static final String IN_CHECKOUT = "$" + "Format:%H$";

  @ParameterizedTest
  @CsvSource({
    "IN_REPOSITORY, false, CHECKOUT, '0123456789'",
    "IN_REPOSITORY, true, CHECKOUT, '0123456789, modified'",
    "NONE, false, ARCHIVED, '0123456789'",
    "NONE, false, CHECKOUT, unknown",
  })
  void theCommitIsThatOfTheRepositoryOrOfTheArchive(
      String commit, String modified, String archived, String shown) {
    Properties build = new Properties();
    build.setProperty("version", "1.2");
    build.setProperty("commit", commit.equals("NONE") ? "" : COMMIT);
    build.setProperty("modified", modified);
    build.setProperty("archived", archived.equals("ARCHIVED") ? COMMIT : IN_CHECKOUT);
    assertThat(ProgramVersion.text(build)).isEqualTo("saev-hadoop 1.2 (commit %s)", shown);
  }

  /** The names of the properties must be those that Maven replaces. */
  @Test
  void thisBuildNamesItsCommit() throws Exception {
    Properties build = ProgramVersion.properties(ProgramVersion.class, "build.properties");
    assertThat(build.getProperty("commit")).matches("([0-9a-f]{40})?");
    assertThat(build.getProperty("modified")).matches("true|false");
    assertThat(ProgramVersion.text())
        .matches("saev-hadoop \\d\\S* \\(commit ([0-9a-f]{10}|unknown)(, modified)?\\)");
  }
}
