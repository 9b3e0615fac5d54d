package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.ExternalException;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.kind.FolderContents;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.digest.RecordedSums;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.run.JobFailedException;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.verify.VerifiedDataset.Checked;
import org.saevhadoop.jobs.verify.VerifiedDataset.KindCount;
import org.saevhadoop.jobs.verify.VerifiedDataset.VerifiedColumn;

/** The steps of a verification, and their findings. */
final class VerificationRun {
  /**
   * Kinds of errors caused by options: the files may be readable with other options or at a later
   * time.
   */
  private static final Set<ErrorKind> OF_OPTIONS =
      Set.of(
          ArrayError.NO_MATCH,
          ArrayError.AMBIGUOUS,
          ArrayError.NO_LAYER_NUMBER,
          ArrayError.BEING_WRITTEN,
          DatasetError.NO_SUCH_EXAMPLE,
          DatasetError.NO_SUCH_LAYER,
          DatasetError.UNKNOWN_CLS_TOKENS,
          DatasetError.NO_SUCH_TOKEN,
          DatasetError.NO_SUCH_COLUMN,
          DatasetError.BAD_SELECTION,
          DatasetError.EMPTY_SELECTION);

  private final JobRunner runner;
  private final List<Finding> findings = new ArrayList<>();
  private final SortedMap<String, Long> counts = new TreeMap<>();
  private SourceRequest request;
  private List<VerifiedColumn> columns = List.of();
  private boolean sums;
  private boolean duplicates;
  private boolean isOpen;

  VerificationRun(SourceRequest request, JobRunner runner) {
    this.request = request;
    this.runner = runner;
  }

  private String dataset() {
    return request.location().path();
  }

  /** Performs the format checks of each dataset. */
  void checkStructure() throws IOException {
    for (SourceRequest member : request.members()) {
      checkStructure(member);
    }
  }

  private void checkStructure(SourceRequest member) throws IOException {
    String path = member.location().path();
    try {
      List<Finding> found = new ArrayList<>();
      List<FormatException> problems =
          member
              .format()
              .check(
                  member.location(),
                  member.spec().format(),
                  runner.formats(),
                  warning -> found.add(Finding.warning(path, warning)));
      for (FormatException problem : problems) {
        if (isFailure(problem)) {
          throw problem;
        }
        if (flattens(problem)) {
          checkStructure();
          return;
        }
        found.add(Finding.of(problem));
      }
      findings.addAll(found);
    } catch (IOException e) {
      addFailure(e);
    }
  }

  /**
   * Returns whether a dataset whose examples have different lengths can be checked with each token
   * as an example.
   */
  private boolean flattens(FormatException e) {
    Settings settings = request.spec().format();
    if (e.kind() != DatasetError.RAGGED
        || request.several() != null
        || settings.get(ArrayKeys.RAGGED).mode() != RaggedPolicy.Mode.ERROR) {
      return false;
    }
    RaggedPolicy flatten = RaggedPolicy.parse("flatten");
    request = request.withFormat(settings.with(ArrayKeys.RAGGED, flatten));
    findings.add(Finding.flattened(e));
    return true;
  }

  /** Compares the files with their recorded sums. */
  void checkSums() throws IOException, InterruptedException {
    if (!request.spec().projection().isEverything()) {
      return;
    }
    sums = true;
    for (SourceRequest member : request.members()) {
      try {
        Optional<List<FormatException>> found = RecordedSums.differences(member, runner);
        found.ifPresent(all -> all.forEach(e -> findings.add(Finding.of(e))));
        sums &= found.isPresent();
      } catch (IOException e) {
        addFailure(e);
      }
    }
  }

  /**
   * Checks the values.
   *
   * @param all whether vectors are compared even if there are many
   */
  void checkContent(boolean all) throws IOException, InterruptedException {
    isOpen = false;
    try {
      content(all).run();
    } catch (IOException e) {
      FormatException bad = badData(e);
      if (bad != null && flattens(bad)) {
        checkContent(all);
      } else if (bad != null && bad.kind().isOfData()) {
        addNew(Finding.of(bad));
      } else if (bad != null && !isOpen && isSound() && !isFailure(bad)) {
        findings.add(Finding.unchecked(bad));
      } else {
        addFailure(e, !isOpen && isSound() ? Severity.WARNING : Severity.ERROR);
      }
    }
  }

  private PreparedReading<ContentCheck> content(boolean all) {
    return new PreparedReading<>(
        List.of(request),
        sources -> new ContentCheck(sources.get(0), all).jobs(runner),
        sources -> {
          isOpen = true;
          ContentCheck check = new ContentCheck(sources.get(0), all);
          add(check, check.run(runner));
          return check;
        },
        runner);
  }

  private void add(ContentCheck check, FoundParts parts) throws IOException {
    duplicates = check.comparesVectors();
    parts.failures().forEach(this::addNew);
    findings.addAll(check.findings(parts));
    columns = check.columns(parts);
    columns.stream()
        .flatMap(column -> column.counts().stream())
        .forEach(kind -> counts.merge(kind.kind(), kind.count(), Long::sum));
  }

  /**
   * Returns the plan of {@link #checkContent}, which needs no job if the data cannot be read.
   *
   * @throws IOException if the dataset cannot be checked
   */
  List<RunPlan> planContent(boolean all) throws IOException, InterruptedException {
    try {
      return content(all).describe();
    } catch (IOException e) {
      FormatException bad = badData(e);
      if (bad != null && flattens(bad)) {
        return planContent(all);
      }
      addFailure(e);
      return List.of(RunPlanBuilder.of(RunPlan.NOTHING).build());
    }
  }

  private boolean isSound() {
    return findings.stream().allMatch(finding -> finding.severity() == Severity.WARNING);
  }

  /** Returns whether the options, the storage or a server are at fault, rather than the data. */
  private static boolean isFailure(FormatException e) {
    return e instanceof ExternalException
        || e.kind() instanceof CombinationError
        || OF_OPTIONS.contains(e.kind());
  }

  /** Returns the data error that caused a failure, or null if something else caused it. */
  private static @Nullable FormatException badData(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException e) {
        return e;
      }
    }
    return null;
  }

  /**
   * Adds a finding for a failure that the data caused.
   *
   * @throws IOException the failure, if the data is not at fault
   */
  private void addFailure(IOException failure) throws IOException {
    addFailure(failure, Severity.ERROR);
  }

  /**
   * Adds a failure.
   *
   * @param severity the severity if only the text of the failure is known
   */
  private void addFailure(IOException failure, Severity severity) throws IOException {
    FormatException bad = badData(failure);
    Finding finding = Finding.ofRead(bad == null ? failure : bad, dataset());
    if (finding == null && bad == null && JobFailedException.isBadData(failure)) {
      finding = Finding.unreadable(severity, dataset(), String.valueOf(failure.getMessage()));
    }
    if (finding == null || bad != null && isFailure(bad)) {
      throw failure;
    }
    addNew(finding);
  }

  /** Adds an error, unless an error in the same file is already known. */
  private void addNew(Finding failure) {
    // a failure of a task on a cluster names the file only in its text
    boolean isOfFile =
        !failure.path().equals(dataset())
            || failure.kind().equals(Finding.UNREADABLE) && request.location().isFile();
    boolean known =
        findings.stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .anyMatch(
                finding ->
                    failure.repeats(finding) || isOfFile && finding.path().equals(failure.path()));
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
    List<FolderContents.Kind> files = new ArrayList<>();
    for (SourceRequest member : request.members()) {
      files.addAll(FolderContents.of(member.location()));
    }
    return new VerifiedDataset(
        listed,
        KindCount.of(counts),
        columns,
        new Checked(
            files.stream().mapToLong(FolderContents.Kind::files).sum(),
            files.stream().mapToLong(FolderContents.Kind::bytes).sum(),
            columns.stream().mapToLong(VerifiedColumn::vectors).sum(),
            sums,
            duplicates));
  }
}
