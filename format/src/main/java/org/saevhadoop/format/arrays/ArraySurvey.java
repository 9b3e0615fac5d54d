package org.saevhadoop.format.arrays;

import static java.util.Collections.disjoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * A survey of the headers of all files of a dataset. With a survey, tasks open the dataset by
 * reading only the headers of the files from which they read elements.
 *
 * @param files the number of files
 * @param listing the digest of the paths and lengths of the files
 * @param byLayer whether each group stores one layer after another
 * @param integers the names of the per-token integer arrays in the first group, and of the mask
 *     that is added if nothing else marks padding
 * @param groups the groups that have examples, in the order of their examples
 */
public record ArraySurvey(
    int files,
    String listing,
    Geometry geometry,
    boolean byLayer,
    List<String> integers,
    List<Group> groups) {
  /** The maximum number of groups and files, which limits the length of the text. */
  static final int MAX_GROUPS = 1 << 19;

  /** The maximum total length of the names of integer arrays. */
  static final int MAX_NAMES = 1 << 16;

  /**
   * A group of arrays that contain all layers of the same examples.
   *
   * @param files the indexes of its files in the listing, in the order of its layers
   * @param examples the number of its examples in the dataset
   * @param isDirect whether its blocks are read in place
   */
  record Group(List<Integer> files, long examples, boolean isDirect) {
    Group {
      files = List.copyOf(files);
    }
  }

  public ArraySurvey {
    integers = List.copyOf(integers);
    groups = List.copyOf(groups);
  }

  static ArraySurvey of(
      List<ArrayFiles.Found> files,
      List<ExampleGroup> groups,
      Geometry geometry,
      RaggedPolicy ragged) {
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      indexes.put(files.get(i).path(), i);
    }
    List<Group> surveyed = new ArrayList<>();
    for (ExampleGroup group : groups) {
      surveyed.add(
          new Group(
              group.files().stream().map(indexes::get).toList(),
              group.examples(ragged),
              group.isDirect(geometry, ragged)));
    }
    boolean byLayer =
        geometry.layers().size() > 1
            && groups.stream().allMatch(group -> !group.first().hasLayers());
    return new ArraySurvey(
        files.size(),
        digest(files),
        geometry,
        byLayer,
        integers(groups, geometry, ragged),
        surveyed);
  }

  /** Returns the names of the per-token integers, with a mask if nothing else marks padding. */
  private static List<String> integers(
      List<ExampleGroup> groups, Geometry geometry, RaggedPolicy ragged) {
    Set<String> names = new TreeSet<>();
    if (!groups.isEmpty()) {
      names.addAll(groups.get(0).fields().kept().keySet());
    }
    List<String> ids = PaddingMarks.deciding(names);
    boolean isUnmarked =
        ids.isEmpty()
            ? groups.stream().anyMatch(group -> group.isFilled(geometry, ragged))
            // a group without the ids would have -1, like padding
            : groups.stream().anyMatch(g -> disjoint(g.fields().kept().keySet(), ids));
    if (isUnmarked) {
      names.add(PaddingMarks.NAME);
    }
    return List.copyOf(names);
  }

  /** Returns a digest of the paths and lengths of files. */
  static String digest(List<ArrayFiles.Found> files) {
    MessageDigest digest = Sha256.digest();
    ByteBuffer length = ByteBuffer.allocate(Long.BYTES);
    for (ArrayFiles.Found file : files) {
      byte[] path = file.path().getBytes(StandardCharsets.UTF_8);
      digest.update(length.clear().putLong(path.length).flip());
      digest.update(path);
      digest.update(length.clear().putLong(file.bytes()).flip());
    }
    return Sha256.text(digest);
  }

  /** Returns whether the text is short enough for the configuration of a job. */
  public boolean isShort() {
    return files <= MAX_GROUPS
        && integers.stream().mapToLong(String::length).sum() + integers.size() <= MAX_NAMES
        && groups.stream().mapToLong(g -> g.files.size()).sum() <= MAX_GROUPS;
  }

  /**
   * Parses the text of a survey.
   *
   * @throws IllegalArgumentException if the text does not describe a survey
   */
  public static ArraySurvey parse(String text) {
    return SurveyText.parse(text);
  }

  /** Returns the text that {@link #parse} accepts. */
  @Override
  public String toString() {
    return SurveyText.of(this);
  }
}
