package org.saevhadoop.format.arrays.proposal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.ArrayOptions;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.LayerNames;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileSets;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;

/**
 * The interpretations of array files as a dataset, most likely first.
 *
 * @param alternatives the interpretations; empty if the user must choose an option
 * @param questions the open questions, one per line, each with the options that answer it; no
 *     alternative contains these options
 * @param warnings warnings about files that cannot be read, and the warnings of the alternatives
 * @param files the total number of files
 * @param headers the number of files whose headers were read; the number of examples in other files
 *     is estimated
 * @param bytes the total length of all files
 * @param areVectors whether the files contain only vectors, which may be statistics of other files
 * @param areReadable whether all headers could be read
 */
public record ArrayProposals(
    List<ArrayProposal> alternatives,
    List<String> questions,
    List<String> warnings,
    long files,
    long headers,
    long bytes,
    boolean areVectors,
    boolean areReadable) {
  /**
   * A way of reading the files.
   *
   * @param options the words of the options that select this way
   * @param question the question that this way leaves open; empty if there is none
   * @param explicit whether all arrays must be mapped, even if names and shapes determine the
   *     mapping
   * @param documents the names of files that identify a folder as a dataset; nothing is proposed
   *     for such a folder
   */
  public record Variant(
      ArrayReader reader,
      List<String> options,
      String question,
      boolean explicit,
      Set<String> documents) {
    /** Creates a way of reading that needs no options. */
    public Variant(ArrayReader reader, boolean explicit, Set<String> documents) {
      this(reader, List.of(), "", explicit, documents);
    }
  }

  /** The option that names the format of a source. */
  public static final String FROM = "--from";

  private static final String FILES = "--files";

  private static final List<ArrayProposal> NONE = List.of();
  private static final int MAX_ALTERNATIVES = 8;
  private static final int MAX_WARNINGS = 5;

  public ArrayProposals {
    alternatives = List.copyOf(alternatives);
    questions = List.copyOf(questions);
    warnings = List.copyOf(warnings);
  }

  /** Returns the most likely interpretation. */
  public Optional<ArrayProposal> likeliest() {
    return alternatives.stream().findFirst();
  }

  /** Returns whether there are interpretations that differ in more than the handling of lengths. */
  public boolean isGuess() {
    return alternatives.stream().map(ArrayProposal::reading).distinct().count() > 1;
  }

  /** Returns whether all interpretations name the files, and thereby their format. */
  public boolean nameFiles() {
    return alternatives.stream().allMatch(way -> way.options().contains(FILES));
  }

  /** Returns the interpretations, each with an option that names its format. */
  public ArrayProposals ofFormat(String name) {
    return with(questions, alternatives.stream().map(way -> way.behind(FROM, name)).toList());
  }

  /**
   * Joins the interpretations of files in several formats; one format must be chosen.
   *
   * @param formats the interpretations by the name of their format
   */
  public static ArrayProposals ofFormats(Map<String, ArrayProposals> formats) {
    String question = "which files are read, of the formats " + String.join(", ", formats.keySet());
    List<ArrayProposals> all = new ArrayList<>();
    formats.forEach(
        (name, own) -> {
          ArrayProposals named = own.asking(question).ofFormat(name);
          // a command would fail at a file that cannot be read
          all.add(own.areReadable ? named : named.with(named.questions, NONE));
        });
    return joined(all);
  }

  /** Joins the interpretations of different files. */
  public static ArrayProposals joined(List<ArrayProposals> all) {
    return new ArrayProposals(
        all.stream().flatMap(each -> each.alternatives.stream()).toList(),
        all.stream().flatMap(each -> each.questions.stream()).distinct().toList(),
        all.stream().flatMap(each -> each.warnings.stream()).toList(),
        all.stream().mapToLong(ArrayProposals::files).sum(),
        all.stream().mapToLong(ArrayProposals::headers).sum(),
        all.stream().mapToLong(ArrayProposals::bytes).sum(),
        all.stream().allMatch(ArrayProposals::areVectors),
        all.stream().allMatch(ArrayProposals::areReadable));
  }

  /** Returns a copy with a question placed before the others. */
  private ArrayProposals asking(String question) {
    return with(Stream.concat(Stream.of(question), questions.stream()).toList(), alternatives);
  }

  private ArrayProposals below(String folder) {
    return with(questions, alternatives.stream().map(way -> way.below(folder)).toList());
  }

  private ArrayProposals with(List<String> asked, List<ArrayProposal> ways) {
    return new ArrayProposals(
        ways, asked, warnings, files, headers, bytes, areVectors, areReadable);
  }

  /**
   * Finds the interpretations of the files at a location, or in folders up to two levels below.
   *
   * @param variants the ways of reading the files; the first one with a result is used
   * @return the interpretations; empty if no file has an array that may be activations
   */
  public static Optional<ArrayProposals> of(Location location, List<Variant> variants)
      throws IOException {
    for (Variant variant : variants) {
      HeaderSample sample = HeaderSample.of(location, variant.reader, variant.documents);
      List<String> sets = FileSets.folders(sample.allPaths());
      Search search = new Search(sample, variant);
      Optional<ArrayProposals> found =
          !sets.isEmpty()
              ? ofFolders(location, sets, variants)
              : search.run() ? Optional.of(search.result()) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Joins the interpretations of folders, each of which is read as if it were the location. */
  private static Optional<ArrayProposals> ofFolders(
      Location location, List<String> paths, List<Variant> variants) throws IOException {
    String question = "which of the folders is read: " + String.join(", ", paths);
    List<ArrayProposals> all = new ArrayList<>();
    for (String path : paths) {
      Optional<Folder> folder = Optional.of(location.folder());
      for (String name : path.split("/")) {
        folder = folder.isPresent() ? folder.get().folder(name) : folder;
      }
      if (folder.isPresent()) {
        of(Location.of(folder.get()), variants)
            .map(own -> own.asking(question).below(path))
            .ifPresent(all::add);
      }
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(joined(all));
  }

  /** Tries the candidates of one variant. */
  private static final class Search {
    private final HeaderSample sample;
    private final Variant variant;
    private final List<ArrayProposal> alternatives = new ArrayList<>();
    private final Set<String> questions = new LinkedHashSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final List<FormatException> failures = new ArrayList<>();

    Search(HeaderSample sample, Variant variant) {
      this.sample = sample;
      this.variant = variant;
    }

    /** Returns whether there is an array that may be activations. */
    boolean run() throws IOException {
      if (sample.headers().isEmpty()) {
        return false;
      }
      List<String> paths = sample.paths();
      List<TensorChoices.Choice> last = List.of();
      List<String> open = new ArrayList<>();
      List<FilePatterns.Choice> choices = new ArrayList<>(FilePatterns.of(sample, open));
      choices.sort(Comparator.comparing(files -> sample.hasProblem(files.pattern())));
      for (FilePatterns.Choice files : choices) {
        if (sample.hasProblem(files.pattern()) && !alternatives.isEmpty()) {
          continue; // a command would fail at the file
        }
        questions.addAll(open);
        open.clear();
        List<ArrayFile> contents = sample.contents(files.pattern());
        last = TensorChoices.of(contents, isLayer(files, paths), variant.explicit, open);
        questions.addAll(open);
        for (TensorChoices.Choice tensors : last) {
          attempt(files, tensors);
        }
      }
      questions.addAll(open);
      if (alternatives.isEmpty()) {
        if (failures.stream().anyMatch(e -> e.kind() == DatasetError.NO_VECTORS)) {
          return false; // no other dimensions help
        }
        if (failures.isEmpty() || failures.stream().anyMatch(Search::isAboutAxes)) {
          last.forEach(choice -> questions.add(choice.question()));
        } else {
          questions.add("which of the files are one dataset (--files PATTERN)");
        }
        failures.stream().limit(1).forEach(e -> warnings.add(e.getMessage()));
      }
      if (!variant.question.isEmpty()) {
        questions.add(variant.question);
      }
      return !last.isEmpty();
    }

    /** Returns whether a different choice of dimensions may avoid an error. */
    private static boolean isAboutAxes(FormatException error) {
      return error.kind() == ArrayError.BAD_SHAPE || error.kind() == ArrayError.AMBIGUOUS;
    }

    private static boolean isLayer(FilePatterns.Choice files, List<String> paths) {
      String pattern = files.pattern();
      return pattern == null
          ? paths.stream().allMatch(path -> LayerNumber.find(path).isPresent())
          : pattern.contains("{hook}") || pattern.contains("{layer}");
    }

    private void attempt(FilePatterns.Choice files, TensorChoices.Choice tensors)
        throws IOException {
      if (tensors.axes().isEmpty()
          || alternatives.size() >= MAX_ALTERNATIVES
          || !LayerNames.isList(files.layerNames())) {
        return;
      }
      try {
        add(files, tensors, RaggedPolicy.ERROR, "");
        if (tensors.axes().equals(List.of(Axis.EXAMPLE, Axis.DIM))) {
          questions.add(
              "how many consecutive vectors are the tokens of an example, if not one"
                  + " (--tokens-per-example)");
        }
      } catch (FormatException e) {
        if (e.kind() == DatasetError.RAGGED) {
          addRagged(files, tensors);
        } else {
          failures.add(e);
        }
      }
    }

    private void addRagged(FilePatterns.Choice files, TensorChoices.Choice tensors)
        throws IOException {
      TreeSet<Long> lengths = tensors.lengths(sample.contents(files.pattern()));
      long shortest = lengths.first();
      long longest = lengths.last();
      boolean isMasked = shortest == longest;
      List<String> ways = new ArrayList<>(List.of("flatten"));
      List<String> others = new ArrayList<>();
      (sample.isWhole() && !isMasked ? ways : others).add("truncate:" + Math.max(1, shortest));
      (sample.isWhole() ? ways : others).add("pad:" + longest);
      questions.add(
          "how examples of different lengths are handled (%s%s)"
              .formatted(
                  isMasked
                      ? Quote.sentence("up to %d tokens, with a mask that leaves some out", longest)
                      : Quote.sentence("%d to %d tokens", shortest, longest),
                  others.isEmpty()
                      ? ""
                      : "; --ragged "
                          + others.stream()
                              .map(way -> way.replaceFirst("[0-9]+$", "N"))
                              .collect(Collectors.joining(" or "))));
      for (String way : ways) {
        try {
          add(files, tensors, RaggedPolicy.parse(way), way);
        } catch (FormatException e) {
          failures.add(e);
        }
      }
    }

    private void add(
        FilePatterns.Choice files, TensorChoices.Choice tensors, RaggedPolicy ragged, String way)
        throws IOException {
      String mapping = tensors.mapping();
      String pattern = files.pattern();
      ArrayOptions options =
          new ArrayOptions(
              mapping == null ? List.of() : List.of(ArrayMapping.parse(mapping)),
              pattern == null ? null : NamePattern.parse(pattern),
              files.layerNames(),
              ragged,
              1);
      List<String> words = words(files, tensors);
      ArrayDataset dataset = open(options, words);
      if (!way.isEmpty()) {
        words.add(ArrayProposal.RAGGED);
        words.add(way);
      }
      if (alternatives.isEmpty()) {
        warnings.addAll(dataset.warnings());
      }
      alternatives.add(
          new ArrayProposal(
              "", words, tensors.explicit(), estimated(dataset.geometry()), files.run()));
    }

    /**
     * Opens the files, if necessary without integers that contradict the vectors.
     *
     * @param words the list to which the options that leave these integers out are added
     */
    private ArrayDataset open(ArrayOptions options, List<String> words) throws IOException {
      try {
        return ArrayDataset.openSample(sample.location(), sample, options);
      } catch (FormatException e) {
        if (!isAboutAxes(e)) {
          throw e;
        }
      }
      ArrayOptions without = options.leavingOutTokens();
      try {
        ArrayDataset dataset = ArrayDataset.openSample(sample.location(), sample, without);
        words.add("--no-sample-metadata");
        return dataset;
      } catch (FormatException e) {
        List<String> masks = sample.masks();
        if (e.kind() != ArrayError.BAD_SHAPE || masks.isEmpty()) {
          throw e;
        }
        ArrayDataset dataset =
            ArrayDataset.openSample(sample.location(), sample, options.keepingMasks(masks));
        masks.forEach(mask -> words.addAll(List.of("--mask", mask + "=keep")));
        return dataset;
      }
    }

    private Geometry estimated(Geometry read) {
      int headers = sample.headers().size();
      return sample.isWhole()
          ? read
          : read.withExamples(Math.round((double) read.examples() / headers * sample.count()));
    }

    private List<String> words(FilePatterns.Choice files, TensorChoices.Choice tensors) {
      List<String> words = new ArrayList<>(variant.options);
      if (files.pattern() != null) {
        words.add(FILES);
        words.add(files.pattern());
      }
      if (!files.layerNames().isEmpty()) {
        words.add("--layer-names");
        words.add(String.join(",", files.layerNames()));
      }
      String mapping = tensors.mapping();
      if (mapping != null) {
        words.add(ArrayProposal.TENSOR);
        words.add(mapping);
      }
      return words;
    }

    ArrayProposals result() {
      List<String> all = new ArrayList<>();
      sample.problems().stream().limit(MAX_WARNINGS).forEach(e -> all.add(e.getMessage()));
      warnings.stream().limit(MAX_WARNINGS).forEach(all::add);
      return new ArrayProposals(
          alternatives,
          List.copyOf(questions),
          all,
          sample.count(),
          sample.headers().size(),
          sample.bytes(),
          sample.contents(null).stream().allMatch(ArrayChoice::areVectors),
          sample.problems().isEmpty());
    }
  }
}
