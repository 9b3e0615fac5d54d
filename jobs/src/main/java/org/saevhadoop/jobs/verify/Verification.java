package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.digest.RecordedSums;
import org.saevhadoop.jobs.run.JobFailedException;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.verify.VerifiedDataset.Checked;
import org.saevhadoop.jobs.verify.VerifiedDataset.VerifiedColumn;

/**
 * Checks a dataset, or the part of it that {@code saev.input.*} select: its structure as its format
 * checks it, the checksums that are recorded of its files, and in a job its values.
 *
 * @param path the path of the dataset
 * @param scope what is checked
 * @param conf the configuration of file systems and jobs, with the keys of the input
 */
public record Verification(String path, Scope scope, Configuration conf) {
  /** What is checked. */
  public enum Scope {
    /** The structure only. */
    STRUCTURE,
    /** Everything, but duplicate vectors in layers of more than 10 million vectors. */
    CONTENT,
    /** Everything. */
    DUPLICATES
  }

  public static Verification of(String path, Configuration conf) {
    return new Verification(path, Scope.CONTENT, conf);
  }

  /**
   * Checks the dataset.
   *
   * @throws IOException if there is no dataset, if it cannot be read for reasons other than its
   *     content, or if the job fails
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public VerifiedDataset run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf,
        listener,
        runner ->
            of(SourceRequest.of(path, null, SettingSource.CONFIGURATION, runner), scope, runner));
  }

  /** Checks a dataset that has been found. */
  public static VerifiedDataset of(SourceRequest request, Scope scope, JobRunner runner)
      throws IOException, InterruptedException {
    Run run = new Run(request, runner);
    run.checkStructure();
    if (scope != Scope.STRUCTURE) {
      run.checkSums();
      run.checkContent(scope == Scope.DUPLICATES);
    }
    return run.result();
  }

  /** Returns the result for a path whose files are so damaged that they are no dataset. */
  public static VerifiedDataset unreadable(FormatException e) {
    return new VerifiedDataset(
        List.of(Finding.of(e)), new TreeMap<>(), List.of(), new Checked(0, 0, 0, false));
  }

  /** One verification. */
  private static final class Run {
    private final SourceRequest request;
    private final JobRunner runner;
    private final List<Finding> findings = new ArrayList<>();
    private final SortedMap<String, Long> counts = new TreeMap<>();
    private List<VerifiedColumn> columns = List.of();
    private boolean duplicates;

    Run(SourceRequest request, JobRunner runner) {
      this.request = request;
      this.runner = runner;
    }

    private String dataset() {
      return request.location().path();
    }

    void checkStructure() throws IOException {
      try {
        request
            .format()
            .format()
            .check(
                request.location(),
                request.spec().format(),
                runner.formats(),
                warning -> findings.add(Finding.warning(dataset(), warning)))
            .forEach(problem -> findings.add(Finding.of(problem)));
      } catch (IOException e) {
        addFailure(e);
      }
    }

    void checkSums() throws IOException, InterruptedException {
      if (request.spec().projection().isEverything()) {
        try {
          RecordedSums.differences(request, runner).forEach(e -> findings.add(Finding.of(e)));
        } catch (IOException e) {
          addFailure(e);
        }
      }
    }

    void checkContent(boolean all) throws IOException, InterruptedException {
      try (OpenedSource source = OpenedSource.open(request, runner)) {
        ContentCheck check = new ContentCheck(source, all);
        FoundParts parts = check.run(runner);
        duplicates = check.comparesVectors();
        parts.failures().forEach(this::addNew);
        findings.addAll(check.findings(parts));
        columns = check.columns(parts);
        columns.forEach(
            column -> column.counts().forEach((kind, more) -> counts.merge(kind, more, Long::sum)));
      } catch (IOException e) {
        addFailure(e);
      }
    }

    /**
     * Adds a failure of the data.
     *
     * @throws IOException the failure, if a storage or a server is at fault
     */
    private void addFailure(IOException failure) throws IOException {
      FormatException bad = null;
      for (Throwable cause = failure; cause != null && bad == null; cause = cause.getCause()) {
        bad = cause instanceof FormatException e ? e : null;
      }
      Finding finding = Finding.ofRead(bad == null ? failure : bad, dataset());
      if (finding == null && bad == null && JobFailedException.isBadData(failure)) {
        finding = Finding.unreadable(dataset(), String.valueOf(failure.getMessage()));
      }
      if (finding == null) {
        throw failure;
      }
      boolean isSound = bad != null && bad.kind() instanceof DatasetError && isFreeOfErrors();
      addNew(isSound && bad != null ? Finding.unchecked(bad) : finding);
    }

    private boolean isFreeOfErrors() {
      return findings.stream().allMatch(finding -> finding.severity() == Severity.WARNING);
    }

    /** Adds an error, unless one of the same file is known. */
    private void addNew(Finding failure) {
      boolean known =
          findings.stream()
              .anyMatch(
                  finding ->
                      finding.severity() == Severity.ERROR
                          && (finding.repeats(failure)
                              || finding.path().equals(failure.path())
                                  && !failure.path().equals(dataset())));
      if (!known) {
        findings.add(failure);
      }
    }

    VerifiedDataset result() throws IOException {
      for (Finding finding : findings) {
        if (finding.example() == null) {
          counts.merge(finding.kind(), 1L, Long::sum);
        }
      }
      List<Finding> listed =
          findings.stream()
              .sorted(Comparator.comparing(Finding::severity))
              .limit(VerifiedDataset.MAX_FINDINGS)
              .toList();
      listed.forEach(finding -> counts.merge(finding.kind(), -1L, Long::sum));
      counts.values().removeIf(count -> count == 0);
      SortedMap<String, Long> files = request.location().files();
      return new VerifiedDataset(
          listed,
          counts,
          columns,
          new Checked(
              files.size(),
              files.values().stream().mapToLong(Long::longValue).sum(),
              columns.stream().mapToLong(VerifiedColumn::vectors).sum(),
              duplicates));
    }
  }
}
