package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.numpy.file.RawArray;
import org.saevhadoop.format.numpy.file.RawShapes;

/** Proposals for files without a header whose names or documents state a shape. */
final class RawProposals {
  private static final int MAX_FILES = 8;
  private static final int MAX_SEARCHED = 1000;

  private RawProposals() {}

  static Optional<ArrayProposals> of(Location location) throws IOException {
    Map<String, List<RawArray>> files = new LinkedHashMap<>();
    List<String> names =
        location.files().keySet().stream()
            .filter(name -> location.isFile() || NumpyReader.isRaw(name) && ArrayFiles.isData(name))
            .limit(MAX_SEARCHED)
            .toList();
    for (String name : names) {
      long bytes = location.files().getOrDefault(name, 0L);
      List<RawArray> found = RawShapes.of(location.folder(), name, bytes);
      if (!found.isEmpty()) {
        files.put(name, found);
      }
    }
    boolean areAlike = files.size() == names.size() && Set.copyOf(files.values()).size() == 1;
    if (areAlike) {
      return propose(location, List.of(), files.values().iterator().next());
    }
    List<ArrayProposals> all = new ArrayList<>();
    for (Map.Entry<String, List<RawArray>> file : files.entrySet()) {
      if (all.size() < MAX_FILES) {
        propose(
                Location.of(location.folder(), file.getKey()),
                List.of("--files", NamePattern.escaped(file.getKey())),
                file.getValue())
            .ifPresent(all::add);
      }
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(ArrayProposals.joined(all));
  }

  private static Optional<ArrayProposals> propose(
      Location location, List<String> options, List<RawArray> arrays) throws IOException {
    List<Variant> variants = new ArrayList<>();
    for (RawArray array : arrays) {
      List<String> words = new ArrayList<>(options);
      words.addAll(List.of("--raw", array.toString()));
      variants.add(
          new Variant(
              new NumpyReader(null).raw(array), words, question(array, arrays), false, Set.of()));
    }
    return ArrayProposals.of(location, variants);
  }

  private static String question(RawArray array, List<RawArray> all) {
    String others =
        all.stream()
            .filter(other -> other != array)
            .map(other -> " or " + other)
            .collect(Collectors.joining());
    return "whether the values are %s%s, which the length of the file fits (--raw%s)"
        .formatted(
            array, others, array.word().equals("f2") ? "; bfloat16 has the same size as f2" : "");
  }
}
