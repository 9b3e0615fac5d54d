package org.saevhadoop.format.shuffle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.permutation.Permutation;

/**
 * The information that the tasks of a shuffle need.
 *
 * @param number the number, from 0, of the dataset among the datasets whose rows are in the same
 *     folder
 * @param order the order of the rows
 * @param activations the shuffled dataset
 * @param rowsOfExample the number of rows per example of the source
 * @param format the format of the files that contain the rows in buckets
 * @param side the form of the side data for each row
 */
public record ShufflePlan(
    int number,
    RowOrder order,
    Activations activations,
    int rowsOfExample,
    RowFormat format,
    SideRow side) {
  /** The name of the document of dataset 0 in a folder that contains files of rows. */
  public static final String FILE = "shuffle.json";

  private static final Pattern OTHER_FILE = Pattern.compile("shuffle\\.(\\d{1,9})\\.json");

  private static final JsonLimits LIMITS = new JsonLimits(64 << 20, 2_000_000, 64 << 20, 100);

  private static final ObjectReader READER =
      Jackson.SETTINGS
          .readerFor(Document.class)
          .with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  /** Returns the permutation: row i of the source is at position {@code at(i)}. */
  public Permutation permutation() {
    return order.permutation(activations.geometry().examples());
  }

  /** Returns the format of the files that contain the side data for rows. */
  public RowFormat sideFormat() {
    return side.format(format.buckets());
  }

  /**
   * Returns whether another plan has the same rows in the same order. The division into buckets and
   * chunks, which depends on the memory of tasks, may differ.
   */
  public boolean hasRowsOf(ShufflePlan other) {
    return format.rowBytes() == other.format.rowBytes()
        && format.buckets().rows() == other.format.buckets().rows()
        && new ShufflePlan(number, order, activations, rowsOfExample, other.format, side)
            .equals(other);
  }

  /** Returns the approximate total length of all files of rows, which excludes chunk headers. */
  public long stagedBytes() {
    long rows = activations.geometry().examples();
    long bytes = format.rowBytes() + (long) Integer.BYTES;
    return rows * (side.bytes() > 0 ? bytes + side.bytes() + Integer.BYTES : bytes);
  }

  /**
   * The content of the document.
   *
   * @param cls the number of [CLS] tokens; null if it is unknown
   */
  record Document(
      int number,
      RowOrder order,
      Geometry geometry,
      @Nullable Integer cls,
      Provenance provenance,
      int rowsOfExample,
      RowFormat format,
      SideRow side) {}

  public String text() {
    OptionalInt cls = activations.clsTokens();
    Document document =
        new Document(
            number,
            order,
            activations.geometry(),
            cls.isPresent() ? cls.getAsInt() : null,
            activations.provenance(),
            rowsOfExample,
            format,
            side);
    return Jackson.SETTINGS.valueToTree(document).toString();
  }

  /** Returns the name of the document of a dataset. */
  public static String file(int number) {
    return number == 0 ? FILE : "shuffle.%d.json".formatted(number);
  }

  /**
   * Returns the number of the dataset whose document has this name; empty if no document has this
   * name.
   */
  static OptionalInt number(String file) {
    Matcher other = OTHER_FILE.matcher(file);
    return other.matches()
        ? OptionalInt.of(Integer.parseInt(other.group(1)))
        : file.equals(FILE) ? OptionalInt.of(0) : OptionalInt.empty();
  }

  static ShufflePlan read(Folder folder, int number) throws IOException {
    String file = file(number);
    return parse(folder.path(file), LIMITS.read(folder, file));
  }

  /** Reads the documents of all datasets in a folder. */
  public static List<ShufflePlan> readAll(Folder folder) throws IOException {
    List<ShufflePlan> plans = new ArrayList<>();
    for (String file : folder.files().keySet()) {
      OptionalInt number = number(file);
      if (number.isPresent()) {
        plans.add(read(folder, number.getAsInt()));
      }
    }
    return plans;
  }

  /** Returns several documents as one string, which {@link #parseAll} parses. */
  public static String text(List<ShufflePlan> plans) {
    return plans.stream().map(ShufflePlan::text).collect(Collectors.joining("\n"));
  }

  /**
   * Parses the text of several documents.
   *
   * @param path the path of the documents, for messages
   */
  public static List<ShufflePlan> parseAll(String path, String text) throws IOException {
    List<ShufflePlan> plans = new ArrayList<>();
    for (String document : text.split("\n", -1)) {
      plans.add(parse(path, document.getBytes(StandardCharsets.UTF_8)));
    }
    return plans;
  }

  /**
   * Parses the text of the document.
   *
   * @param path the path of the document, for messages
   * @throws FormatException if the document is damaged
   */
  public static ShufflePlan parse(String path, byte[] text) throws IOException {
    try {
      Document document = READER.readValue(text);
      OptionalInt cls = document.cls == null ? OptionalInt.empty() : OptionalInt.of(document.cls);
      return new ShufflePlan(
          document.number,
          document.order,
          new Activations(document.geometry, cls, document.provenance),
          document.rowsOfExample,
          document.format,
          document.side);
    } catch (JsonProcessingException e) {
      throw DatasetError.INCOMPLETE
          .in(path, "does not describe a shuffle (expected the document of its first job)")
          .causedBy(e);
    }
  }
}
