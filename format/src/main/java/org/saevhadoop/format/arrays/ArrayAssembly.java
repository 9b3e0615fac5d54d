package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.MappedFile.Activation;
import org.saevhadoop.format.arrays.MappedFile.TokenLengths;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.FileWarnings;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.file.ReadsAhead;
import org.saevhadoop.format.arrays.file.SharedContents;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;

/**
 * Arranges the arrays of files into groups that contain all layers of the same examples, in the
 * order of the examples.
 */
final class ArrayAssembly {
  private record Stored(String path, FileArray array) {}

  private final Folder folder;
  private final String path;
  private final KeptTokens.FileSource files;
  private final ArrayOptions options;
  private final ArrayLayers numbering;
  private final Set<String> tokenNames;
  private final Map<ExampleGroup.Key, Map<Integer, ExampleGroup.Layer>> groups =
      new LinkedHashMap<>();

  /** The mapped contents of files, by identity. */
  private final Map<ArrayFile, MappedFile> mapped = new IdentityHashMap<>();

  private final FileWarnings warnings = new FileWarnings();
  private final GroupTokens<ExampleGroup.Key> tokens;

  /** An array without tokens, if none of the arrays has tokens. */
  private @Nullable Stored withoutTokens;

  private final DatasetFiles datasetFiles;

  private boolean hasTokens;

  /** Whether each file is one vector. */
  private boolean hasVectors;

  /** Whether layers are a dimension of each array; they then keep the order of that dimension. */
  private boolean hasLayerAxis = true;

  private ArrayAssembly(
      Location location, ArrayReader reader, ArrayOptions options, IntegerFiles integers) {
    this.folder = location.folder();
    this.path = location.path();
    this.datasetFiles = new DatasetFiles(location, integers);
    this.options = options;
    this.tokenNames = TokenLengths.names(options);
    this.numbering =
        new ArrayLayers(
            new LayerNames(options.layerNames()), path.equals(folder.path()) ? folder.name() : "");
    this.files = (name, array) -> reader.elements(folder, name, array);
    this.tokens = new GroupTokens<>(folder, files, options, warnings);
  }

  /**
   * Groups in the order of their examples.
   *
   * @param layers the numbers of the layers, in the order in which each group has them
   * @param isLayerAssumed whether nothing states the number of the only layer
   */
  record Result(
      List<Integer> layers,
      boolean isLayerAssumed,
      List<ExampleGroup> groups,
      List<String> warnings) {}

  /** Reads the headers of the files of a dataset. */
  static ArrayAssembly of(
      Location location, List<ArrayFiles.Found> files, ArrayReader reader, ArrayOptions options)
      throws IOException {
    ArrayAssembly assembly = new ArrayAssembly(location, reader, options, IntegerFiles.NONE);
    Map<String, ArrayFile> integers = new LinkedHashMap<>();
    List<ArrayFiles.Found> activations = assembly.addAll(files, reader, integers);
    if (integers.isEmpty()) {
      return assembly;
    }
    // only now are the examples of the integers known: headers are read again
    IntegerFiles beside =
        activations.isEmpty()
            ? IntegerFiles.NONE
            : IntegerFiles.of(
                integers,
                activations.stream().map(ArrayFiles.Found::path).toList(),
                assembly.groups.size() == 1);
    ArrayAssembly whole = new ArrayAssembly(location, reader, options, beside);
    whole.addAll(activations.isEmpty() ? files : activations, reader, null);
    return whole;
  }

  /**
   * Adds files.
   *
   * @param beside accepts the content of files of integers, which are then not added; null to add
   *     them
   * @return the files that were added
   */
  private List<ArrayFiles.Found> addAll(
      List<ArrayFiles.Found> files, ArrayReader reader, @Nullable Map<String, ArrayFile> beside)
      throws IOException {
    List<ArrayFiles.Found> added = new ArrayList<>();
    Optional<FormatException> failure = Optional.empty();
    List<Callable<ArrayFile>> reads = new ArrayList<>();
    files.forEach(file -> reads.add(() -> reader.read(file.folder(), file.name())));
    try (ReadsAhead<ArrayFile> contents = new ReadsAhead<>(reads)) {
      for (ArrayFiles.Found file : files) {
        ArrayFile content = contents.next();
        if (beside != null && IntegerFiles.isOne(content)) {
          beside.put(file.path(), content);
          continue;
        }
        added.add(file);
        datasetFiles.add(file.name());
        try {
          add(file, datasetFiles.integers().with(file.path(), content));
        } catch (FormatException e) {
          if (beside == null || options.masks().isEmpty()) {
            throw e;
          }
          failure = failure.or(() -> Optional.of(e)); // the mask may be in a file of integers
        }
      }
    }
    if (failure.isPresent() && (beside == null || beside.isEmpty())) {
      throw failure.get();
    }
    return added;
  }

  /**
   * A part of a file.
   *
   * @param index the index of the part in the file
   */
  private record Part(ArrayFiles.Found file, int index, MappedFile content) {
    String path() {
      return file.folder().path(file.name());
    }
  }

  private void add(ArrayFiles.Found file, ArrayFile content) throws FormatException {
    String filePath = file.folder().path(file.name());
    content.warnings().forEach(warning -> warnings.add(warning, filePath));
    List<ArrayFile> parts = content.parts();
    for (int i = 0; i < parts.size(); i++) {
      add(new Part(file, i, mapped(parts.get(i))));
    }
  }

  private void add(Part part) throws FormatException {
    ArrayFiles.Found file = part.file;
    String filePath = part.path();
    MappedFile known = part.content;
    ArrayFile content = known.content();
    if (options.mappings().isEmpty()) {
      boolean isVector = ArrayChoice.isVector(content);
      ArrayError.MIXED_SHAPES.check(
          groups.isEmpty() || isVector == hasVectors,
          filePath,
          "holds %s (expected %s, as in other files; --files names the files to read)",
          isVector ? "one vector" : "arrays of several dimensions",
          hasVectors ? "one vector" : "arrays of several dimensions");
      hasVectors = isVector;
      boolean isLayer =
          file.parts().containsKey(NamePattern.Part.LAYER)
              || LayerNumber.find(file.path()).isPresent();
      for (var array : ArrayChoice.of(filePath, content, isLayer).entrySet()) {
        add(part, new Activation(array.getKey(), array.getValue(), Map.of(), Optional.empty()));
        if (content.arrays().stream().noneMatch(ArrayChoice::isTokenIds)) {
          boolean isHook =
              isLayer
                  || file.parts().containsKey(NamePattern.Part.HOOK)
                  || numbering.isFolderNumbered() && !array.getValue().axes().contains(Axis.LAYER);
          warnOfOthers(filePath, array.getKey(), array.getValue(), isHook);
        }
      }
      return;
    }
    for (Activation array : known.arrays()) {
      add(part, array);
      array.contradiction().ifPresent(text -> warnings.add(text, filePath));
    }
    if (known.arrays().isEmpty()) { // not check(): its arguments cost more than the file
      throw ArrayError.NO_MATCH.in(
          filePath,
          "has no array %s (expected one of %s)",
          options.mappings().stream().map(ArrayMapping::name).toList(),
          content.arrays().stream().map(FileArray::name).toList());
    }
    if (known.unread() > 0) {
      warnings.add(
          "arrays that --tensor does not name are not read: %d".formatted(known.unread()),
          filePath);
    }
  }

  private MappedFile mapped(ArrayFile content) {
    MappedFile known = mapped.get(content);
    if (known == null) {
      known = MappedFile.of(content, options, tokenNames);
      if (mapped.size() < SharedContents.MAX_CONTENTS
          && content.arrays().size() <= SharedContents.MAX_ARRAYS) {
        mapped.put(content, known);
      }
    }
    return known;
  }

  private void warnOfOthers(
      String filePath, FileArray array, ArrayMapping mapping, boolean isLayer) {
    boolean isNumbered = isLayer || LayerNumber.find(array.name()).isPresent();
    List<List<Axis>> others = AxisChoice.others(array.shape(), isNumbered);
    if (!others.isEmpty()) {
      warnings.add(
          AxisChoice.unnamed(
              array.name(), mapping.axes(), others.stream().map(AxisChoice::joined).toList()),
          filePath);
    }
  }

  private void add(Part part, Activation activation) throws FormatException {
    ArrayFiles.Found file = part.file;
    String filePath = part.path();
    FileArray array = activation.array();
    ArrayMapping mapping = activation.mapping();
    ArrayView stored = activation.view(filePath, file.path());
    hasTokens |= stored.size(Axis.TOKEN) > 0;
    withoutTokens = hasTokens ? null : new Stored(filePath, array);
    ArrayView view =
        options.tokensPerExample() > 1
            ? stored.withTokens(options.tokensPerExample(), filePath)
            : stored;
    Map<NamePattern.Part, String> names = new LinkedHashMap<>(file.parts());
    names.putAll(activation.parts());
    ExampleGroup.Key key = ExampleGroup.Key.of(names, file, part.index, options);
    Map<Integer, ExampleGroup.Layer> group =
        groups.computeIfAbsent(key, k -> new LinkedHashMap<>());
    tokens.add(key, filePath, part.content, activation, stored);
    datasetFiles.describe(part.content.content(), view);
    List<Integer> numbers = numbering.of(filePath, file, array, mapping, view, names);
    hasLayerAxis &= view.hasLayers() && !names.containsKey(NamePattern.Part.LAYER);
    for (int i = 0; i < numbers.size(); i++) {
      ExampleGroup.Layer layer = new ExampleGroup.Layer(view, i);
      ExampleGroup.Layer other = group.putIfAbsent(numbers.get(i), layer);
      ArrayError.DUPLICATE.check(
          other == null,
          path,
          "%s and %s hold layer %d of the same examples (expected only one of them: --files and"
              + " --tensor select the files and arrays, and {layer} or layer:N in --tensor numbers"
              + " layers)",
          other == null ? null : other.view(),
          view,
          numbers.get(i));
    }
  }

  private List<ExampleGroup.Key> keys() {
    return groups.keySet().stream().sorted(ExampleGroup.Key.ORDER).toList();
  }

  /**
   * Returns the groups that have all layers, in the order of their examples. The layers that a
   * group lacks are in files that were not read.
   *
   * @param layers the numbers of all layers
   */
  List<ExampleGroup> groups(List<Integer> layers) throws IOException {
    List<ExampleGroup> list = new ArrayList<>();
    Set<Integer> all = Set.copyOf(layers);
    for (ExampleGroup.Key key : keys()) {
      if (all.equals(layersOf(key).keySet())) {
        list.add(group(layers, key));
        list.get(list.size() - 1).check(path, list.get(list.size() - 1).first());
      }
    }
    return list;
  }

  /**
   * Returns all groups.
   *
   * @param isSample whether to skip the comparison of the token ids of joined layers
   * @throws FormatException if groups differ in their layers, or in the type or width of values, or
   *     if layers of the same examples differ in their token ids or masks
   */
  Result result(boolean isSample) throws IOException {
    if (withoutTokens != null && options.ragged().mode() == RaggedPolicy.Mode.ERROR) {
      FileArray array = withoutTokens.array;
      Geometry.checkSizes(withoutTokens.path, array.name(), array.shape(), 1, 0, 1);
    }
    List<ExampleGroup.Key> keys = keys();
    ArrayError.NO_MATCH.check(
        !keys.isEmpty(), path, "has no rows (expected vectors; --files names the files to read)");
    if (options.files() == null) {
      datasetFiles.checkNames(keys.stream().map(ExampleGroup.Key::rest).toList());
    }
    List<Integer> layers = new ArrayList<>(layersOf(keys.get(0)).keySet());
    if (!hasLayerAxis) {
      layers.sort(null);
    }
    Set<Integer> all = Set.copyOf(layers);
    List<ExampleGroup> list = new ArrayList<>();
    for (ExampleGroup.Key key : keys) {
      if (!all.equals(layersOf(key).keySet())) {
        throw missing(layers, keys.get(0), key);
      }
      list.add(group(layers, key));
      list.get(list.size() - 1).check(path, list.get(0).first());
    }
    Set<String> leftOut = tokens.leftOut(isSample ? List.of() : keys);
    list.replaceAll(group -> group.without(leftOut));
    checkFiles(
        layers,
        IntStream.range(0, list.size())
            .filter(i -> keys.get(i).part() == 0)
            .mapToObj(list::get)
            .toList());
    datasetFiles.checkIntegers(tokens.knownFiles(), options, warnings);
    datasetFiles.warnOfSamples(list, warnings);
    List<String> lines = new ArrayList<>(warnings.lines());
    lines.addAll(numbering.warnings(path));
    return new Result(layers, numbering.isAssumed() && all.size() == 1, list, lines);
  }

  /** Checks the names of files, and the sizes of the first part of each file. */
  private void checkFiles(List<Integer> layers, List<ExampleGroup> first) throws FormatException {
    if (options.files() == null) {
      if (!hasVectors) {
        datasetFiles.checkWords(first);
      }
      datasetFiles.checkNumbers(first, hasVectors);
    }
    if (options.mappings().isEmpty()) {
      if (layers.equals(List.of(0)) && options.files() == null && options.layerNames().isEmpty()) {
        datasetFiles.checkOnlyNumber(first);
      }
      datasetFiles.checkFirstDimension(first);
      datasetFiles.warnOfLengths(first, options, warnings);
    }
  }

  private Map<Integer, ExampleGroup.Layer> layersOf(ExampleGroup.Key key) {
    return Objects.requireNonNull(groups.get(key));
  }

  /** Returns the error about a group that does not have the layers of the first group. */
  private FormatException missing(
      List<Integer> expected, ExampleGroup.Key first, ExampleGroup.Key key) {
    return ArrayError.MISSING_LAYER.in(
        path,
        "%s has the layers %s (expected %s, as in %s)",
        layersOf(key).values().iterator().next().view(),
        layersOf(key).keySet().stream().sorted().toList(),
        expected,
        layersOf(first).values().iterator().next().view());
  }

  /** Returns a group after reading its masks. */
  private ExampleGroup group(List<Integer> numbers, ExampleGroup.Key key) throws IOException {
    List<ExampleGroup.Layer> layers = numbers.stream().map(layersOf(key)::get).toList();
    TokenFields own = tokens.fields(key);
    String file = folder.path() + "/" + layers.get(0).view().file();
    if (own.overruled().isPresent() && !own.hasEqualMasks(files, file)) {
      warnings.add(
          Quote.sentence(
              "mask %s differs from %s, which takes precedence",
              own.overruled().get().array(), own.masks().get(own.masks().size() - 1).array()),
          file);
    }
    return new ExampleGroup(
        layers, own, KeptTokens.read(files, file, own.masks()), key.example(), 0);
  }
}
