package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.file.UnnamedLayers;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * Decides which arrays are activations, and what their dimensions mean, in files without a mapping.
 * Ambiguous arrays are refused.
 */
public final class ArrayChoice {
  static final Set<String> TOKEN_IDS = PaddingMarks.TOKEN_IDS;

  /** The names of parameters, as in the state dict of a torch module. */
  private static final Pattern WEIGHTS = Pattern.compile("(?s).+\\.(weight|bias)(_[a-z0-9_]+)?");

  private static final int MAX_SHOWN = 100;
  private static final int MAX_LISTED = 8;

  /** The maximum number of vectors in a file that may be layers; no model has more layers. */
  private static final int MAX_VECTORS = 1 << 12;

  private ArrayChoice() {}

  /**
   * Returns the mapping of each array of activations.
   *
   * @param isLayer whether the file contains one layer, judging by its name
   */
  static Map<FileArray, ArrayMapping> of(String path, ArrayFile file, boolean isLayer)
      throws FormatException {
    if (isVector(file)) {
      Map<FileArray, ArrayMapping> vectors = new LinkedHashMap<>();
      for (FileArray vector : file.arrays()) {
        NamePattern name = NamePattern.literally(vector.name());
        vectors.put(vector, ArrayMapping.of(name, List.of(Axis.DIM)));
      }
      return vectors;
    }
    List<FileArray> arrays =
        file.arrays().stream()
            .filter(ArrayChoice::isCandidate)
            .limit(Geometry.MAX_LAYERS + 1L)
            .toList();
    ArrayError.AMBIGUOUS.check(
        arrays.size() <= Geometry.MAX_LAYERS,
        path,
        "holds more than %d arrays that may be activations (expected --tensor NAME=AXES for those"
            + " that are)",
        Geometry.MAX_LAYERS);
    ArrayError.AMBIGUOUS.check(
        !areVectors(file),
        path,
        "holds several vectors: %s (expected --tensor '{example}=dim' if each is an example)",
        shown(file));
    ArrayError.NO_MATCH.check(
        !arrays.isEmpty(),
        path,
        "holds no array that may be activations%s",
        file.arrays().isEmpty() ? "" : ", only " + shown(file));
    Set<String> kinds =
        arrays.stream()
            .map(
                array -> LayerNumber.find(array.name()).map(LayerNumber::rest).orElse(array.name()))
            .collect(Collectors.toSet());
    ArrayError.AMBIGUOUS.check(
        kinds.size() == 1,
        path,
        "holds several arrays that may be activations: %s (expected --tensor NAME=AXES for those"
            + " that are)",
        arrays.stream().map(ArrayChoice::show).toList());
    ArrayError.AMBIGUOUS.check(
        !arrays.stream().allMatch(array -> WEIGHTS.matcher(array.name()).matches()),
        path,
        "holds arrays that are named like the weights of a model: %s (expected --tensor NAME=AXES"
            + " if they are activations)",
        arrays.stream().limit(MAX_LISTED).map(ArrayChoice::show).toList());
    List<FileArray> ids = file.arrays().stream().filter(ArrayChoice::isTokenIds).toList();
    Map<FileArray, ArrayMapping> chosen = new LinkedHashMap<>();
    for (FileArray array : arrays) {
      boolean layer = isLayer || LayerNumber.find(array.name()).isPresent();
      chosen.put(array, mapping(path, array, ids, layer));
    }
    return chosen;
  }

  private static ArrayMapping mapping(
      String path, FileArray array, List<FileArray> ids, boolean isLayer) throws FormatException {
    List<List<Long>> shapes = ids.stream().map(FileArray::shape).toList();
    List<List<Axis>> possible = AxisChoice.of(array.shape(), shapes, isLayer);
    List<String> alternatives = new ArrayList<>();
    boolean isOther = possible.isEmpty() && ids.isEmpty();
    for (List<Axis> axes : isOther ? AxisChoice.others(array.shape(), isLayer) : possible) {
      alternatives.add(
          "--tensor %s=%s"
              .formatted(
                  NamePattern.literally(array.name()),
                  axes.stream().map(Axis::toString).collect(Collectors.joining(","))));
    }
    ArrayError.AMBIGUOUS.check(
        possible.size() == 1,
        path,
        "the dimensions of array %s%s are not known (expected %s)",
        show(array),
        ids.isEmpty() ? "" : " with token ids " + ids.stream().map(ArrayChoice::show).toList(),
        alternatives.isEmpty() ? "--tensor NAME=AXES" : String.join(" or ", alternatives));
    return ArrayMapping.of(NamePattern.literally(array.name()), possible.get(0));
  }

  private static String shown(ArrayFile file) {
    String some =
        file.arrays().stream()
            .limit(MAX_LISTED)
            .map(ArrayChoice::show)
            .collect(Collectors.joining(", "));
    return file.arrays().size() > MAX_LISTED ? some + ", ..." : some;
  }

  /**
   * Returns whether a file that could also be a table of columns contains activations: vectors,
   * arrays with token ids or a mask, or arrays with layer numbers in their names. Any other array
   * must be the only one, unless the name of the file has a layer number.
   *
   * @param name the name of the file
   */
  public static boolean isDecided(String name, ArrayFile file) {
    if (areVectors(file)) {
      return true;
    }
    List<FileArray> arrays = file.arrays();
    long candidates = arrays.stream().filter(ArrayChoice::isCandidate).limit(2).count();
    if (candidates == 0 || arrays.stream().anyMatch(ArrayChoice::isLabels)) {
      return false;
    }
    boolean isOnly =
        candidates == 1 && (arrays.size() == 1 || !LayerNumber.numbers(name).isEmpty());
    return isOnly
        || areNumbered(arrays)
        || arrays.stream()
            .anyMatch(
                array ->
                    isTokenIds(array)
                        || MaskChoice.USUAL.contains(array.name())
                        || isCandidate(array) && !LayerNumber.numbers(array.name()).isEmpty());
  }

  /** Returns whether arrays have the same shape and names that differ in possible layer numbers. */
  private static boolean areNumbered(List<FileArray> arrays) {
    List<FileArray> found = arrays.stream().filter(ArrayChoice::isCandidate).toList();
    return found.stream().map(FileArray::shape).distinct().limit(2).count() == 1
        && UnnamedLayers.of("", found.stream().map(FileArray::name).toList(), Map.of(), false)
            .isPresent();
  }

  /** Returns whether several arrays of a file may be activations. */
  public static boolean areSeveral(ArrayFile file) {
    return file.arrays().stream().filter(ArrayChoice::isCandidate).limit(2).count() > 1;
  }

  /** Returns whether an array contains the patch labels of a table. */
  private static boolean isLabels(FileArray array) {
    return array.name().equals(Column.LABELS)
        && array.dtype() == DType.U8
        && array.shape().size() == 2;
  }

  /** Returns whether a file contains only vectors, all of the same length. */
  public static boolean areVectors(ArrayFile file) {
    return !file.arrays().isEmpty()
        && file.arrays().stream().allMatch(a -> isFloat(a.dtype()) && a.shape().size() == 1)
        && file.arrays().stream().map(FileArray::shape).distinct().limit(2).count() == 1;
  }

  /** Returns whether a file contains only one example: a vector, or one vector per layer. */
  public static boolean isVector(ArrayFile file) {
    int vectors = file.arrays().size();
    return vectors <= MAX_VECTORS && areVectors(file) && (vectors == 1 || areLayers(file));
  }

  private static boolean areLayers(ArrayFile file) {
    List<String> kinds =
        file.arrays().stream()
            .map(array -> LayerNumber.find(array.name()).map(LayerNumber::rest).orElse(""))
            .distinct()
            .limit(2)
            .toList();
    return kinds.size() == 1 && !kinds.get(0).isEmpty();
  }

  /** Returns whether an array may be activations. */
  public static boolean isCandidate(FileArray array) {
    return isFloat(array.dtype()) && array.shape().size() >= 2;
  }

  private static boolean isFloat(DType dtype) {
    return dtype == DType.BF16 || dtype.name().startsWith("F");
  }

  /** Returns whether an array contains token ids. */
  public static boolean isTokenIds(FileArray array) {
    String last = array.name().substring(array.name().lastIndexOf('.') + 1);
    return TOKEN_IDS.contains(last) && !isFloat(array.dtype());
  }

  /** Returns the name, the type and the shape of an array for messages. */
  public static String show(FileArray array) {
    return "%s %s%s".formatted(Quote.show(array.name(), MAX_SHOWN), array.dtype(), array.shape());
  }
}
