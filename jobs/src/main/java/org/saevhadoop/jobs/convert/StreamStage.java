package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/**
 * A stream whose blocks are staged, so that they can be read at any offset.
 *
 * @param to the format to which the stream is converted
 * @param settings the writing keys of the format and the keys that apply to any output
 */
record StreamStage(SourceRequest request, DatasetFormat to, Settings settings, JobRunner runner)
    implements Stage {
  private static final int IDS_AT_ONCE = 1 << 16;

  @Override
  public void check() throws IOException {
    SourceRequest first = request.members().get(0);
    if (!OpenedSource.isStream(first)) {
      return; // the conversion checks it
    }
    DatasetFormat format = first.format();
    StreamAccess stream = format.stream().orElseThrow();
    Provenance provenance = stream.provenance(first.location(), first.spec().format());
    ModelName model = runner.formats().model(provenance).or(format.assumedModel(first.location()));
    to.requireWriting()
        .checkBefore(
            request.source().shown(), model, settings.only(to.requireWriting().writingKeys()));
  }

  /** Returns an empty list, because the shape of a stream is not known until it has been read. */
  @Override
  public List<OpenedSource> planned(StoragePath folder) {
    return List.of();
  }

  /**
   * Returns whether the whole stream is staged although only a part is selected: the record of a
   * selection contains the digest of the stream.
   */
  private boolean isWhole() {
    return to.requireWriting().recordsSelections() && !request.spec().projection().isEverything();
  }

  private ProjectionRequest staged() {
    return isWhole() ? ProjectionRequest.EVERYTHING : request.spec().projection();
  }

  @Override
  public Settings recorded() throws IOException {
    return request.with(staged()).recorded();
  }

  @Override
  public List<OpenedSource> make(List<WritePlan> files, RunFolder run)
      throws IOException, InterruptedException {
    OpenedSource made = OpenedSource.stage(request, isWhole(), run, runner);
    if (settings.get(ConversionKeys.VERIFY)) {
      made.compareStaged(staged(), run);
    }
    return List.of(made);
  }

  @Override
  public JobPlan plan(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException {
    return OpenedSource.planStaging(request, staged(), folder, resumed, runner);
  }

  @Override
  public @Nullable Long temporaryBytes(List<WritePlan> files, StoragePath folder, boolean resumed) {
    return null;
  }

  /** Compares written blocks with staged blocks. */
  @Override
  public void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException {
    try (OpenedSource found = SummedRows.open(written, runner)) {
      if (found != null) {
        Geometry geometry = found.dataset().requireActivations().geometry();
        List<Integer> layers = geometry.layers();
        SummedRows expected = SummedRows.blocks(made, layers, geometry.dtype());
        SummedRows rows = SummedRows.blocks(found, layers, geometry.dtype());
        if (isReordered(made.dataset(), found.dataset())) {
          expected = expected.unordered();
          rows = rows.unordered();
        }
        expected.check(rows, path, runner);
      }
    }
  }

  /** Returns whether examples with ids were written in another order, as in a layout of keys. */
  private static boolean isReordered(TableDataset made, TableDataset written) throws IOException {
    if (made.ids().isEmpty() || written.ids().isEmpty()) {
      return false;
    }
    ExampleIds expected = made.ids().get();
    ExampleIds ids = written.ids().get();
    long examples = written.table().examples();
    for (long first = 0; first < examples; first += IDS_AT_ONCE) {
      long count = Math.min(IDS_AT_ONCE, examples - first);
      if (!ids.ids(first, count).equals(expected.ids(first, count))) {
        return true;
      }
    }
    return false;
  }
}
