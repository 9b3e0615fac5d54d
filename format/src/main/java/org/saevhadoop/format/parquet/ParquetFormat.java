package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.StreamAccess;

/** The format of columns of vectors in Parquet files, which are staged. */
public final class ParquetFormat extends ArrayFormat {
  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public String expected() {
    return "*.parquet";
  }

  @Override
  protected ParquetReader reader(Settings settings) {
    return new ParquetReader(ArrayKeys.mappings(settings));
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    throw ParquetError.NOT_STAGED.in(
        location.path(), "is in Parquet, whose pages cannot be read in place");
  }

  @Override
  protected ActivationDataset headers(
      Location location, Settings settings, ProvenanceReader provenance) throws IOException {
    return headers(location, settings);
  }

  ActivationDataset headers(Location location, Settings settings) throws IOException {
    return ArrayDataset.open(location, reader(settings), ArrayKeys.options(settings));
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new ParquetStream(this));
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new ParquetWriting());
  }

  /** Reads all pages. */
  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    List<FormatException> problems = new ArrayList<>();
    ParquetReader reader = reader(settings);
    try {
      for (ArrayFiles.Found file :
          ArrayFiles.of(location, reader, ArrayKeys.options(settings).files())) {
        try (Input in = file.folder().open(file.name())) {
          TableArrays table = TableArrays.of(in, reader.mappings());
          for (int group = 0; group < table.footer().rowGroups().size(); group++) {
            for (TableArrays.Array array : table.arrays()) {
              table.read(in, group, array, elements -> {});
            }
          }
        } catch (FormatException e) {
          problems.add(e);
        }
      }
      if (problems.isEmpty()) {
        headers(location, settings).warnings().forEach(warnings);
      }
    } catch (FormatException e) {
      problems.add(e);
    }
    return problems;
  }
}
