package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.RunClaim;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunRecord;

/**
 * A claim on a path, or on a folder in which a source is staged. A run makes the claim; a dry run
 * checks it.
 *
 * @param target checks the path
 */
public record PlannedClaim(RunClaim claim, Target target) {
  /** The dataset published at the path. */
  public interface Target {
    /** A dataset that is left unchanged. */
    Target NONE =
        new Target() {
          @Override
          public void check(boolean isClean) {}

          @Override
          public void probe(RunFolder run) {}
        };

    /**
     * Checks the entry at the path.
     *
     * @param isClean whether the leftovers of an interrupted run were removed
     */
    void check(boolean isClean) throws IOException;

    /** Performs the checks that require writing. */
    void probe(RunFolder run) throws IOException;
  }

  /**
   * Performs the checks of {@link #run} that do not require writing.
   *
   * @return the interrupted run to be continued; empty if there is none
   * @throws FormatException under the same conditions as {@link #run}
   */
  public Optional<RunRecord> check() throws IOException {
    Optional<RunRecord> resumed = claim.check();
    if (!claim.isPublished()) {
      target.check(false);
    }
    return resumed;
  }

  /**
   * Claims the folder. The leftovers of a killed run are removed before the path is checked,
   * because the dataset that the run was replacing may have to be put back.
   *
   * @throws FormatException if another run writes there, or if the path cannot be written
   */
  public RunFolder run() throws IOException {
    RunFolder run = claim.run();
    try {
      if (!run.isPublished()) {
        target.check(true);
        target.probe(run);
      }
      return run;
    } catch (IOException | RuntimeException e) {
      run.close();
      throw e;
    }
  }
}
