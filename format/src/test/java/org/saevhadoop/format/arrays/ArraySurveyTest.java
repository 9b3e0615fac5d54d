package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Datasets of arrays that tasks open with what all headers have shown. */
class ArraySurveyTest {
  private static final DType DTYPE = DType.F32;
  private static final List<Axis> AXES = List.of(Axis.EXAMPLE, Axis.TOKEN, Axis.DIM);

  private final MadeArrays arrays = new MadeArrays();

  private static ArrayOptions options(String files, String mapping) {
    return new ArrayOptions(
        List.of(ArrayMapping.parse(mapping)),
        files == null ? null : NamePattern.parse(files),
        List.of(),
        RaggedPolicy.ERROR,
        1);
  }

  private static MadeArrays.Made made(String name, int example, int layer, int examples) {
    return new MadeArrays.Made(
        name, new int[] {example, layer, 0, 0}, new int[] {examples, 1, 2, 3}, AXES, false);
  }

  private ArrayDataset open(ArrayOptions options) throws IOException {
    return ArrayDataset.open(arrays.location(), arrays, options);
  }

  private ArrayDataset open(ArrayOptions options, ArraySurvey survey) throws IOException {
    return ArrayDataset.open(arrays.location(), arrays, options, survey);
  }

  /** Opens a dataset again with its survey, as a task does. */
  private ArrayDataset again(ArrayOptions options) throws IOException {
    ArraySurvey survey = ArraySurvey.parse(open(options).survey().toString());
    arrays.read();
    return open(options, survey);
  }

  private static void place(ArrayDataset dataset, int shard) throws IOException {
    try (Input file = dataset.folder().open(dataset.shards().get(shard).name())) {
      assertThat(dataset.placement(shard, file)).isNotNull();
    }
  }

  @Test
  void onlyTheHeadersOfFilesThatAreReadAreRead() throws IOException {
    ArrayOptions options = options(null, "acts=example,token,dim");
    for (int i = 0; i < 100; i++) {
      arrays.add("part" + i + ".made", made("acts", i, 0, 1));
    }
    ArrayDataset dataset = again(options);
    assertThat(dataset.geometry().examples()).isEqualTo(100);
    assertThat(dataset.expectedRanges(3, 0, 1, List.of(0))).hasSize(1);
    assertThat(arrays.read()).isEmpty();
    place(dataset, 10);
    place(dataset, 10);
    place(dataset, 9);
    assertThat(arrays.read()).containsExactly("part10.made", "part9.made");
  }

  @Test
  void theHeadersOfAllFilesAreReadOnceWhereNothingIsKnown() throws IOException {
    ArrayOptions options = options(null, "acts=example,token,dim");
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "part" + i + ".made").toList();
    for (int i = 0; i < names.size(); i++) {
      arrays.add(names.get(i), made("acts", i, 0, 1));
    }
    ArrayDataset dataset = open(options);
    MadeArrays.blocks(dataset);
    assertThat(arrays.read()).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void layersInSeveralFilesAreReadTogether() throws IOException {
    for (int layer = 0; layer < 3; layer++) {
      for (int i = 0; i < 2; i++) {
        arrays.add("layer_" + layer + "/" + i + ".made", made("acts", i, layer, 1));
      }
    }
    ArrayOptions options = options("layer_{layer}/{shard}.made", "acts=example,token,dim");
    ArrayDataset dataset = again(options);
    place(dataset, 1);
    assertThat(arrays.read()).containsExactlyInAnyOrder("1.made", "1.made", "1.made");
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(MadeArrays.blocks(open(options)));
  }

  @Test
  void examplesInTheSameFilesAreToldApart() throws IOException {
    // layer 1 of example 0 is in another file; examples 1 and 10 are in the first one alone
    arrays.add(
        "a.made",
        made("e10.l0", 10, 0, 1),
        made("e10.l1", 10, 1, 1),
        made("e1.l1", 1, 1, 1),
        made("e1.l0", 1, 0, 1),
        made("e0.l0", 0, 0, 1));
    arrays.add("b.made", made("e0.l1", 0, 1, 1), made("e2.l0", 2, 0, 1), made("e2.l1", 2, 1, 1));
    ArrayOptions options = options("{hook}.made", "e{example}.l{layer}=example,token,dim");
    ArrayDataset dataset = again(options);
    assertThat(dataset.geometry().examples()).isEqualTo(4);
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(MadeArrays.blocks(open(options)));
    arrays.read();
    MadeArrays.blocks(dataset);
    assertThat(arrays.read()).as("groups that are in memory").isEmpty();
  }

  @Test
  void otherFilesThanTheSurveyedOnesAreRefused() throws IOException {
    ArrayOptions options = options(null, "acts=example,token,dim");
    arrays.add("a.made", made("acts", 0, 0, 2));
    ArraySurvey survey = open(options).survey();
    arrays.add("a.made", made("acts", 0, 0, 3));
    assertFails(ArrayError.CHANGED, "/data", () -> open(options, survey));
    arrays.add("b.made", made("acts", 0, 0, 2));
    assertFails(ArrayError.CHANGED, "/data", () -> open(options, survey));
    arrays.add("a.made", made("acts", 0, 0, 2));
    assertFails(ArrayError.CHANGED, "/data", () -> open(options, survey));
  }

  @Test
  void aFileWithOtherArraysOfTheSameLengthIsRefusedWhenItIsRead() throws IOException {
    ArrayOptions options = options(null, "acts=example,token,dim");
    arrays.addShapes("a.made", MadeArrays.shape("acts", DTYPE, 2L, 5L, 4L));
    ArraySurvey survey = open(options).survey();
    for (Long[] shape : new Long[][] {{3L, 5L, 4L}, {2L, 6L, 4L}, {2L, 5L, 3L}}) {
      arrays.addShapes("a.made", MadeArrays.shape("acts", DTYPE, shape));
      ArrayDataset dataset = open(options, survey);
      assertFails(ArrayError.CHANGED, "a.made", () -> place(dataset, 0));
    }
  }

  @Test
  void tenThousandFilesTakeSomeTensOfKilobytes() {
    Random random = new Random(1);
    List<Integer> files = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
    Collections.shuffle(files, random);
    List<ArraySurvey.Group> groups =
        files.stream()
            .map(file -> new ArraySurvey.Group(List.of(file), 1 + random.nextInt(4096), true))
            .toList();
    long examples = groups.stream().mapToLong(ArraySurvey.Group::examples).sum();
    ArraySurvey survey =
        new ArraySurvey(
            10_000,
            "0".repeat(64),
            new Geometry(examples, List.of(1, 2), 1, 8),
            false,
            List.of("token_ids", "loss_mask"),
            groups);
    assertThat(survey.toString().length()).isLessThan(52_000);
    assertThat(ArraySurvey.parse(survey.toString())).isEqualTo(survey);
    assertThat(survey.isShort()).isTrue();
  }

  @Test
  void textsThatAreNoSurveyAreRefused() throws IOException {
    String good = survey(0, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 0);
    assertThat(ArraySurvey.parse(good).groups()).isEmpty();
    refused("!!!!", "Illegal base64 character");
    refused(Base64.getEncoder().encodeToString(new byte[] {7, 7, 7}), "it is not deflated");
    refused("", "it is not deflated");
    refused(survey(), "it ends early");
    refused(survey(0, 999), "it has 999 where at most");
    refused(survey(1 << 30), "it has 1073741824 where at most 524288 is allowed");
    refused(survey(1, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 524_288), "it ends early");
    refused(survey(1, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 1, 0), "a group has no file");
    refused(survey(1, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 1, 1, 2), "a group has file 1 of 1");
    refused(survey(1, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 1, 1, 1), "a group has file -1 of 1");
    refused(survey(1, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 1, 1, 0, 0), "has 0 examples");
    refused(survey(0, DTYPE.ordinal(), 0, 1, 0, 1, 0, 0, 0), "no dataset has the shape");
    refused(survey(0, DTYPE.ordinal(), 1, 1, 0, 2, 0, 0, 0, 0), "a layer is listed twice");
    refused(
        survey(1, DTYPE.ordinal(), 1, 9, 0, 1, 0, 0, 1, 1, 0, Long.MAX_VALUE, 0),
        "its dataset is too large");
    refused(survey(0, DTYPE.ordinal(), 1, 1, 0, 1, 0, 0, 0, 5), "more integers than it needs");
    refused(survey(new long[9 << 20]), "it is too long");
  }

  private static void refused(String text, String problem) {
    assertThatThrownBy(() -> ArraySurvey.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  /** Returns the text of integers behind a digest. */
  private static String survey(long... values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[32]);
    for (long value : values) {
      long left = value;
      for (; left > 0x7f; left >>>= 7) {
        bytes.write((int) (left & 0x7f | 0x80));
      }
      bytes.write((int) left);
    }
    return text(bytes.toByteArray());
  }

  private static String text(byte[] bytes) {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated, new Deflater(9, true))) {
      out.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return Base64.getEncoder().encodeToString(deflated.toByteArray());
  }

  @Property(tries = 300)
  void aSurveyWithAnyIntegerChangedIsRefusedOrReadAsOne(RandomValues any) throws IOException {
    MadeArrays made = new MadeArrays();
    for (int i = 0; i < 3; i++) {
      made.add("part" + i + ".made", made("l0", i, 0, 1), made("l1", i, 1, 1));
    }
    ArrayOptions options = options(null, "l{layer}=example,token,dim");
    ArraySurvey survey = ArrayDataset.open(made.location(), made, options).survey();
    byte[] bytes = inflated(survey.toString());
    bytes[any.intBetween(0, bytes.length - 1)] = (byte) any.anyInt();
    String changed = text(Arrays.copyOf(bytes, any.bool() ? bytes.length : any.intBetween(0, 60)));
    try {
      ArrayDataset dataset =
          ArrayDataset.open(made.location(), made, options, ArraySurvey.parse(changed));
      for (int i = 0; i < dataset.shards().size(); i++) {
        place(dataset, i);
      }
    } catch (FormatException | IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s)[^\n]+");
    }
  }

  private static byte[] inflated(String text) throws IOException {
    try (var in =
        new InflaterInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(text)), new Inflater(true))) {
      return in.readAllBytes();
    }
  }
}
