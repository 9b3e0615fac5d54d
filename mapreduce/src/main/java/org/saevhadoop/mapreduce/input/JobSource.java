package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.combined.Combination;
import org.saevhadoop.format.combined.CombinedSource;
import org.saevhadoop.format.combined.SourceFacts;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.SeveralSources;

/**
 * Opens the source that the configuration of a job names: a dataset, a staged dataset, or several
 * datasets as one.
 *
 * @param checked whether the job's client has opened it before
 * @param storage resolves the references in staged files
 */
public record JobSource(boolean checked, Storage storage, Configuration conf) {
  public static JobSource of(boolean checked, Configuration conf) {
    return new JobSource(checked, new HadoopStorage(conf), conf);
  }

  /** Opens the whole source, regardless of the projection. */
  public TableDataset open() throws IOException {
    SourceReference reference = DatasetInputFormat.source(conf);
    DatasetFormat format = DatasetInputFormat.format(reference, conf);
    InputSpec input = InputSpec.fromConf(conf, format.readingKeys());
    SeveralSources several = input.several();
    return several == null
        ? open(reference, format, input.format())
        : combination(several, checked ? ConfSettings.get(conf, CombineKeys.FACTS) : null)
            .dataset();
  }

  private TableDataset open(SourceReference reference, DatasetFormat format, Settings settings)
      throws IOException {
    HadoopStorage files = new HadoopStorage(conf);
    Path path = new Path(reference.path());
    boolean known = checked && !reference.staged();
    Location location = known ? files.locateChecked(path).checked() : files.locate(path);
    DatasetFormats formats = DatasetFormats.registry();
    if (!reference.staged()) {
      return format.open(location, settings, formats);
    }
    return ShuffledDataset.existsAt(location)
        ? ShuffledDataset.open(location)
        : format.stream()
            .orElseThrow()
            .openStaged(StagedFolder.of(location.folder()), storage, formats);
  }

  private TableDataset open(SeveralSources.Source source) throws IOException {
    DatasetFormat format = DatasetInputFormat.format(source.reference(), conf);
    InputSpec input = source.input(format.readingKeys());
    TableDataset whole = open(source.reference(), format, input.format());
    return input.projection().resolve(whole).of(whole);
  }

  /**
   * Combines datasets.
   *
   * @param known the facts about the datasets; null if each must be opened
   */
  private Combination combination(SeveralSources several, @Nullable List<SourceFacts> known)
      throws IOException {
    List<CombinedSource> sources = new ArrayList<>();
    List<Io.Supplier<TableDataset>> openers = new ArrayList<>();
    several.sources().forEach(source -> openers.add(() -> open(source)));
    List<SourceSurvey> found = known == null ? SourceSurvey.of(openers).all() : List.of();
    for (int i = 0; i < openers.size(); i++) {
      String path = several.sources().get(i).path();
      sources.add(
          known == null
              ? new CombinedSource(path, "", found.get(i).facts(), found.get(i).opener())
              : new CombinedSource(path, "", known.get(i), openers.get(i)));
    }
    return Combination.of(sources, several.way(), several.renumber());
  }
}
