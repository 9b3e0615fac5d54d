package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileSets;
import org.saevhadoop.format.arrays.file.FileWarnings;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.arrays.file.UnnamedLayers;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.Sidecar;

/** The files that are read as one dataset, and the evidence in their names. */
final class DatasetFiles {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final int MAX_SHOWN = 4;
  private static final Set<Part> LAYERS = Set.of(Part.LAYER, Part.HOOK);

  private final Location location;
  private final Folder folder;
  private final String path;
  private final IntegerFiles integers;
  private final List<String> names = new ArrayList<>();

  /** The files that contain columns of sample metadata. */
  private final Set<String> described = new HashSet<>();

  /** Creates a list that contains only the files of integers. */
  DatasetFiles(Location location, IntegerFiles integers) {
    this.location = location;
    this.folder = location.folder();
    this.path = location.path();
    this.integers = integers;
  }

  IntegerFiles integers() {
    return integers;
  }

  void add(String name) {
    names.add(name);
  }

  void describe(ArrayFile content, ArrayView view) {
    if (content.hasSamples()) {
      described.add(view.file());
    }
  }

  /**
   * Checks that the names belong to one dataset: they are neither copies nor sets such as train and
   * test, and names with layer numbers differ in numbers only.
   *
   * @param rests the paths of the files without the layer numbers
   */
  void checkNames(List<String> rests) throws FormatException {
    List<String> all = new ArrayList<>(names);
    integers.paths().forEach(file -> all.add(file.substring(file.lastIndexOf('/') + 1)));
    check(FileSets.of(all));
    Map<String, String> kinds = new LinkedHashMap<>();
    for (String rest : rests) {
      if (rest.contains(LayerNumber.PLACE)) {
        kinds.putIfAbsent(DIGITS.matcher(rest).replaceAll("#"), rest);
      }
    }
    ArrayError.AMBIGUOUS.check(
        kinds.size() < 2,
        path,
        "has files of several kinds for each layer: %s (expected --files with the names of one"
            + " kind, or with {shard} in place of the part that divides the examples)",
        kinds.values().stream().limit(MAX_SHOWN).toList());
  }

  /**
   * Checks that the names of the files do not differ in their words. Words are accepted as names of
   * examples if each file is one example, or if files have the token ids or masks of their
   * examples.
   */
  void checkWords(List<ExampleGroup> groups) throws FormatException {
    boolean areParts =
        groups.size() > 1
            && groups.stream().anyMatch(group -> group.storedExamples() > 1)
            && groups.stream().noneMatch(ExampleGroup::hasOwnTokens);
    if (areParts) {
      check(FileSets.ofWords(names));
    }
  }

  /**
   * Checks that the first dimension counts examples. It may count layers if it has the same size in
   * all files and the second dimension does not.
   *
   * @param groups arrays without a mapping
   */
  void checkFirstDimension(List<ExampleGroup> groups) throws FormatException {
    Set<Long> examples = new TreeSet<>();
    Set<Long> tokens = new TreeSet<>();
    for (ExampleGroup group : groups) {
      examples.add(group.storedExamples());
      tokens.add(group.storedTokens());
    }
    ArrayError.AMBIGUOUS.check(
        examples.size() != 1
            || examples.contains(1L)
            || tokens.size() < 2
            || groups.stream().anyMatch(DatasetFiles::isKnown),
        path,
        "the first dimension of the arrays is %d in all files, and the second is one of %s"
            + " (expected --tensor NAME=layer,token,dim for the layers of an example, or"
            + " NAME=example,token,dim)",
        examples.iterator().next(),
        tokens.stream().limit(MAX_SHOWN).toList());
  }

  /**
   * Warns about files with different numbers of vectors, because each file may contain the tokens
   * of one example.
   *
   * @param groups arrays without a mapping
   */
  void warnOfLengths(List<ExampleGroup> groups, ArrayOptions options, FileWarnings warnings) {
    boolean areKnown =
        options.tokensPerExample() > 1
            || options.ragged().mode() != RaggedPolicy.Mode.ERROR
            || options.files() != null && !Collections.disjoint(options.files().parts(), LAYERS)
            || !groups.stream().map(ExampleGroup::first).allMatch(DatasetFiles::areVectors);
    List<List<Long>> shapes = new ArrayList<>();
    for (ExampleGroup group : areKnown ? List.<ExampleGroup>of() : groups) {
      shapes.add(List.of(group.storedExamples(), group.first().size(Axis.DIM)));
    }
    List<Axis> likelier = shapes.isEmpty() ? List.of() : AxisChoice.ofFiles(shapes);
    for (ExampleGroup group : likelier.isEmpty() ? List.<ExampleGroup>of() : groups) {
      warnings.add(
          AxisChoice.unnamed(
              group.first().array(),
              List.of(Axis.EXAMPLE, Axis.DIM),
              List.of(AxisChoice.joined(likelier) + " with --ragged")),
          folder.path() + "/" + group.first().file());
    }
  }

  /** Returns whether an array contains the vectors of one layer without a number in any name. */
  private static boolean areVectors(ArrayView view) {
    return view.tokenShape().size() == 1
        && view.size(Axis.TOKEN) == 1
        && !view.hasLayers()
        && LayerNumber.find(view.file()).isEmpty()
        && LayerNumber.find(view.array()).isEmpty();
  }

  /**
   * Checks that the differing numbers in names are unlikely to be layers.
   *
   * @param areVectors whether each file is one vector
   */
  void checkNumbers(List<ExampleGroup> groups, boolean areVectors) throws FormatException {
    boolean isLayered =
        groups.stream().anyMatch(group -> group.layers().size() > 1 || group.first().hasLayers());
    if (isLayered || names.stream().anyMatch(n -> LayerNumber.find(n).isPresent())) {
      return;
    }
    Map<String, Set<List<Long>>> shapes = new HashMap<>();
    for (ExampleGroup group : groups) {
      shapes
          .computeIfAbsent(group.first().file(), file -> new HashSet<>())
          .add(List.of(group.storedExamples(), group.storedTokens()));
    }
    boolean areExamples = areVectors || groups.stream().allMatch(ExampleGroup::hasOwnTokens);
    Optional<UnnamedLayers> layers = UnnamedLayers.of(folder.name(), names, shapes, areExamples);
    ArrayError.AMBIGUOUS.check(
        layers.filter(UnnamedLayers::isLikely).isEmpty(),
        path,
        "has file names with numbers that may be layers: %s (expected --files '%s', or '%s' for"
            + " parts)",
        names.stream().limit(MAX_SHOWN).toList(),
        layers.map(UnnamedLayers::pattern).orElse(""),
        layers.map(UnnamedLayers::parts).orElse(""));
  }

  /**
   * Checks that the names of files and arrays contain no number that is likely to be that of the
   * only layer, unless the layer is numbered in another way.
   *
   * @param groups arrays without a mapping
   */
  void checkOnlyNumber(List<ExampleGroup> groups) throws FormatException {
    Set<String> texts = new LinkedHashSet<>();
    for (String name : names) {
      texts.add(Character.isDigit(name.charAt(0)) ? folder.name() + "/" + name : name);
    }
    boolean isKnown = groups.stream().allMatch(ExampleGroup::hasOwnTokens);
    for (ExampleGroup group : groups) {
      isKnown |= group.first().hasLayers();
      texts.add(group.first().array());
    }
    Optional<Integer> layer = isKnown ? Optional.empty() : UnnamedLayers.ofOne(texts);
    ArrayError.AMBIGUOUS.check(
        layer.isEmpty(),
        path,
        "has a number in its names that may be its layer: %s (expected --layer-names %d, or"
            + " --layer-names 0 if it is not)",
        texts.stream().limit(MAX_SHOWN).toList(),
        layer.orElse(0));
  }

  /** Checks that no file of another format is a mask, because such a mask would not be read. */
  private void checkMasks() throws IOException {
    Set<String> read = new HashSet<>(names);
    read.addAll(integers.paths());
    for (String file : location.listing().files().keySet()) {
      if (MaskChoice.isFile(file) && !read.contains(file)) {
        throw ArrayError.AMBIGUOUS.in(
            folder.path(file),
            "is a mask in a format other than that of the arrays next to it (expected the same"
                + " format, or --no-sample-metadata, which ignores the mask)");
      }
    }
  }

  /**
   * Returns whether there is evidence other than sizes for the meaning of a group's first
   * dimension.
   */
  private static boolean isKnown(ExampleGroup group) {
    ArrayView view = group.first();
    return group.hasOwnTokens()
        || view.hasLayers()
        || LayerNumber.find(view.file()).isPresent()
        || LayerNumber.find(view.array()).isPresent();
  }

  private void check(Optional<FileSets> sets) throws FormatException {
    ArrayError.AMBIGUOUS.check(
        sets.isEmpty(),
        path,
        "has %s (expected --files with the names of one dataset, or with {shard} if all are parts of"
            + " one)",
        sets.map(FileSets::problem).orElse(""));
  }

  /**
   * Warns about files of integers that no group uses.
   *
   * @param known the paths of the files that groups use or that already cause a warning
   * @throws FormatException if one of the files is a mask, which would change the result
   */
  void checkIntegers(Set<String> known, ArrayOptions options, FileWarnings warnings)
      throws IOException {
    if (options.files() == null && !options.leavesOutTokens()) {
      checkMasks();
    }
    Set<String> unused = new TreeSet<>(integers.paths());
    unused.removeAll(known);
    for (String file : unused) {
      ArrayError.AMBIGUOUS.check(
          options.leavesOutTokens() || !MaskChoice.USUAL.contains(IntegerFiles.arrayName(file)),
          folder.path() + "/" + file,
          "is a mask that matches none of the files next to it (expected the same numbers in the"
              + " names, or --no-sample-metadata, which ignores the mask)");
      warnings.add(
          "holds integers that match no tokens: they are left out", folder.path() + "/" + file);
    }
  }

  /**
   * Warns of sample metadata that is left out. The metadata of a group is read from the file of its
   * first layer or from the sidecar of that file; columns are read only if the first group has
   * some.
   */
  void warnOfSamples(List<ExampleGroup> groups, FileWarnings warnings) throws IOException {
    boolean isRead = described.contains(groups.get(0).first().file());
    for (ExampleGroup group : groups) {
      String first = group.first().file();
      if (!isRead && described.contains(first)) {
        warnings.add(
            "has columns of sample metadata, which the first file lacks: they are left out",
            path + "/" + first);
      }
      for (String file : group.files()) {
        if (!file.equals(first) && hasSamples(file)) {
          if (hasSamples(first)) {
            warns(
                "its sample metadata is left out and not compared: that of the first layer, in %s,"
                    + " is kept",
                first, file, warnings);
          } else {
            warns(
                "its sample metadata is left out, because %s, the file of the first layer, has none",
                first, file, warnings);
          }
          break;
        }
      }
    }
  }

  private void warns(String template, String first, String file, FileWarnings warnings) {
    warnings.add(template, template.formatted(first), path + "/" + file);
  }

  private boolean hasSamples(String file) throws IOException {
    return described.contains(file) || location.listing().files().containsKey(Sidecar.name(file));
  }
}
