package org.saevhadoop.converters.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.DigestExpectation;
import org.saevhadoop.jobs.digest.DigestJob;
import org.saevhadoop.jobs.digest.FileSums;
import org.saevhadoop.jobs.digest.SumsFile;
import org.saevhadoop.jobs.digest.SumsTarget;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a digest that two datasets share if and only if they contain the same values. */
@Command(
    name = "digest",
    sortOptions = false,
    description = {
      "Prints one line that is the same for equal values in any format.",
      "The line has a SHA-256 and the shape. The digest of a selection is that of a dataset that"
          + " contains only the selection."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop digest shards/64988989",
      "  saev-hadoop digest shards/64988989 --save",
      "  saev-hadoop digest hdfs://namenode/copy --expect shards/64988989.sha256"
    })
public final class DigestCommand extends SourceCommand {
  /** The value of --save that denotes a path next to the dataset. */
  private static final String BESIDE = "PATH.sha256";

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = BESIDE,
      preprocessor = AttachedValue.class,
      description =
          "Write the digest and the SHA-256 of each file to FILE, by default PATH.sha256 next to"
              + " the dataset; sha256sum -c reads it there.")
  String save;

  @Option(
      names = "--expect",
      paramLabel = "DIGEST|FILE",
      description =
          "Compare the dataset with a line that digest printed, or with a file of digest --save;"
              + " exit code 1 if it differs.")
  String expect;

  @Option(
      names = "--json",
      description = "Print one JSON object: the digest, and the shape of the dataset.")
  boolean json;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  private record Report(
      @JsonUnwrapped DatasetKeys dataset, String digest, @Nullable Boolean matches) {}

  public DigestCommand(Console console) {
    super(console);
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    DigestExpectation expected = expect == null ? null : DigestExpectation.of(expect, runner());
    boolean compareFiles = expected != null && expected.sums() != null;
    SourceRequest request = request(path);
    if ((save != null || compareFiles) && !request.spec().projection().isEverything()) {
      throw usageError(
          (save != null ? "--save" : "--expect=FILE")
              + " needs the whole dataset (expected no selection, because sums belong to files)");
    }
    if ((save != null || compareFiles) && request.several() != null) {
      throw usageError(
          (save != null ? "--save" : "--expect=FILE")
              + " is for one dataset (expected no --with: the sums belong to its files)");
    }
    SumsTarget target = save == null ? null : target(request);
    SortedMap<String, String> sums = new TreeMap<>();
    Prepared<Described> prepared =
        new PreparedReading<>(
            List.of(request),
            sources -> jobs(sources.get(0), compareFiles),
            sources ->
                new Described(
                    digest(sources.get(0), compareFiles, sums), DatasetKeys.of(sources.get(0))),
            runner());
    if (dryRun) {
      return PlanReport.print(prepared, json, console);
    }
    if (expected != null && compareFiles) {
      sums.putAll(FileSums.of(request.source(), runner()));
      expected.compare(request.location(), sums);
    }
    Described described = prepared.run();
    DatasetDigest digest = described.digest;
    DatasetKeys keys = described.keys;
    if (expected != null) {
      expected.compare(request.location(), digest);
    }
    if (target != null) {
      Location dataset = request.location();
      String folder = dataset.isFile() ? "" : dataset.folder().name() + "/";
      target.write(new SumsFile(digest.toString(), folder, sums));
    }
    if (json) {
      Boolean matches = expected == null ? null : true; // a difference is an error
      JsonOutput.print(new Report(keys, digest.toString(), matches), console.out());
    } else {
      console.out().println(digest);
    }
    console.out().flush();
    return 0;
  }

  private record Described(DatasetDigest digest, DatasetKeys keys) {}

  /**
   * Computes the digest, and the checksums of the files if the command saves them and has not
   * computed them yet.
   */
  private DatasetDigest digest(
      OpenedSource source, boolean knowsSums, SortedMap<String, String> sums)
      throws IOException, InterruptedException {
    source.dataset().warnings().forEach(console::warning);
    if (save == null || knowsSums) {
      return DigestJob.of(source, runner());
    }
    DigestJob.WithSums both = DigestJob.withSums(source, runner());
    sums.putAll(both.sums());
    return both.digest();
  }

  private List<DatasetJob<?>> jobs(OpenedSource source, boolean compareFiles) throws IOException {
    if (compareFiles) {
      return List.of(FileSums.job(source.request().source()), DigestJob.job(source));
    }
    return save == null ? List.of(DigestJob.job(source)) : DigestJob.jobsWithSums(source);
  }

  private SumsTarget target(SourceRequest request) throws Exception {
    StoragePath path = save.equals(BESIDE) ? request.source() : runner().path(save);
    RunStorage storage = runner().storage(path);
    SumsTarget target =
        save.equals(BESIDE) ? SumsTarget.beside(path, storage) : new SumsTarget(path, storage);
    request.checkOutput(target.path());
    target.check();
    return target;
  }
}
