package org.saevhadoop.converters.sharedoptions;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Activations in memory, as a source has them or as options leave them. Examples may have different
 * numbers of tokens until {@link #pad} or the like is applied.
 *
 * @param cls whether token 0 is known to be [CLS]
 */
record Activations(
    StoredType type, List<Integer> layers, int dim, List<List<Token>> examples, boolean cls) {
  /**
   * A token at all layers.
   *
   * @param example the number of its example in the source
   * @param token its number in the example, before masks
   * @param vectors a vector for each layer
   * @param integers its integers by the names of their arrays
   * @param isPadding whether {@link #pad} has made it
   */
  record Token(
      int example,
      int token,
      List<double[]> vectors,
      Map<String, Long> integers,
      boolean isPadding) {
    Token at(int newExample, int newToken) {
      return new Token(newExample, newToken, vectors, integers, isPadding);
    }
  }

  /** Returns random activations with the arrays token_ids, attention_mask and loss_mask. */
  static Activations random(
      StoredType type,
      List<Integer> layers,
      int dim,
      List<Integer> lengths,
      boolean cls,
      long seed) {
    Random random = new Random(seed);
    List<List<Token>> examples = new ArrayList<>();
    for (int e = 0; e < lengths.size(); e++) {
      List<Token> tokens = new ArrayList<>();
      for (int t = 0; t < lengths.get(e); t++) {
        List<double[]> vectors = new ArrayList<>();
        for (int l = 0; l < layers.size(); l++) {
          vectors.add(IntStream.range(0, dim).mapToDouble(i -> type.draw(random)).toArray());
        }
        Map<String, Long> integers = new LinkedHashMap<>();
        integers.put("token_ids", (long) random.nextInt(50_000));
        integers.put("attention_mask", t < 2 || random.nextInt(3) > 0 ? 1L : 0L);
        integers.put("loss_mask", t < 2 || random.nextInt(3) > 0 ? 1L : 0L);
        tokens.add(new Token(e, t, vectors, integers, false));
      }
      examples.add(tokens);
    }
    return new Activations(type, layers, dim, examples, cls);
  }

  private Activations with(List<List<Token>> changed) {
    return new Activations(type, layers, dim, changed, cls);
  }

  int tokens() {
    return examples.get(0).size();
  }

  int vectors() {
    return examples.stream().mapToInt(List::size).sum();
  }

  boolean isRagged() {
    return examples.stream().anyMatch(example -> example.size() != tokens());
  }

  // What options do, in the order in which they take effect.

  /** Numbers the examples and tokens, as readers of the whole dataset do. */
  Activations numbered() {
    List<List<Token>> changed = new ArrayList<>();
    for (int e = 0; e < examples.size(); e++) {
      List<Token> tokens = new ArrayList<>();
      for (int t = 0; t < examples.get(e).size(); t++) {
        tokens.add(examples.get(e).get(t).at(e, t));
      }
      changed.add(tokens);
    }
    return with(changed);
  }

  /** Keeps the tokens that a mask keeps. */
  Activations masked(String mask) {
    return keeping(token -> token.integers().get(mask) != 0);
  }

  Activations keeping(Predicate<Token> tokens) {
    return with(examples.stream().map(e -> e.stream().filter(tokens).toList()).toList());
  }

  Activations flatten() {
    return with(examples.stream().flatMap(List::stream).map(List::of).toList());
  }

  Activations truncate(int length) {
    return with(examples.stream().map(e -> e.subList(0, length)).toList());
  }

  Activations pad(int length, double value) {
    List<List<Token>> changed = new ArrayList<>();
    for (List<Token> example : examples) {
      List<Token> tokens = new ArrayList<>(example);
      Token model = examples.get(0).get(0);
      Map<String, Long> integers = new LinkedHashMap<>(model.integers());
      integers.replaceAll((name, integer) -> -1L);
      double[] vector = IntStream.range(0, dim).mapToDouble(i -> type.nearest(value)).toArray();
      List<double[]> vectors = layers.stream().map(layer -> vector).toList();
      while (tokens.size() < length) {
        tokens.add(new Token(-1, -1, vectors, integers, true));
      }
      changed.add(tokens);
    }
    return with(changed);
  }

  Activations selectExamples(List<Integer> indexes) {
    return with(indexes.stream().map(examples::get).toList());
  }

  Activations selectTokens(List<Integer> indexes) {
    Activations part =
        with(examples.stream().map(e -> indexes.stream().map(e::get).toList()).toList());
    return new Activations(type, layers, dim, part.examples, cls && indexes.contains(0));
  }

  Activations selectLayers(List<Integer> numbers) {
    List<List<Token>> changed = new ArrayList<>();
    for (List<Token> example : examples) {
      List<Token> tokens = new ArrayList<>();
      for (Token token : example) {
        List<double[]> vectors =
            numbers.stream().map(l -> token.vectors().get(layers.indexOf(l))).toList();
        tokens.add(
            new Token(
                token.example(), token.token(), vectors, token.integers(), token.isPadding()));
      }
      changed.add(tokens);
    }
    return new Activations(type, numbers, dim, changed, cls);
  }

  Activations naming(List<Integer> numbers) {
    return new Activations(type, numbers, dim, examples, cls);
  }

  /** Returns these values with a NaN among them. */
  Activations withNan(int example, int layer, int token) {
    examples.get(example).get(token).vectors().get(layers.indexOf(layer))[0] = Double.NaN;
    return this;
  }

  /** Returns the number of vectors of a layer that contain NaN. */
  long nanVectors(int layer) {
    return examples.stream()
        .flatMap(List::stream)
        .map(token -> token.vectors().get(layers.indexOf(layer)))
        .filter(vector -> Double.isNaN(vector[0]))
        .count();
  }

  Activations withCls() {
    return new Activations(type, layers, dim, examples, true);
  }

  /** Returns these values in another type. */
  Activations as(StoredType other) {
    List<List<Token>> changed = new ArrayList<>();
    for (List<Token> example : examples) {
      List<Token> tokens = new ArrayList<>();
      for (Token token : example) {
        List<double[]> vectors = new ArrayList<>();
        for (double[] vector : token.vectors()) {
          double[] rounded = vector.clone();
          for (int i = 0; i < dim; i++) {
            rounded[i] = other.nearest(vector[i]);
          }
          vectors.add(rounded);
        }
        tokens.add(
            new Token(
                token.example(), token.token(), vectors, token.integers(), token.isPadding()));
      }
      changed.add(tokens);
    }
    return new Activations(other, layers, dim, changed, cls);
  }

  // What commands print and write.

  /** Returns the values of a layer, {@code [example, token, dim]}. */
  byte[] layer(int layer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    examples.forEach(example -> bytes.writeBytes(block(example, layer)));
    return bytes.toByteArray();
  }

  /** Returns the values of an example at a layer, {@code [token, dim]}. */
  byte[] block(List<Token> example, int layer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    example.forEach(token -> bytes.writeBytes(vector(token, layer)));
    return bytes.toByteArray();
  }

  byte[] vector(Token token, int layer) {
    return type.bytes(token.vectors().get(layers.indexOf(layer)));
  }

  /** Returns the values, {@code [example, layer, token, dim]}. */
  byte[] acts() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (List<Token> example : examples) {
      layers.forEach(layer -> bytes.writeBytes(block(example, layer)));
    }
    return bytes.toByteArray();
  }

  /** Returns the vectors that are no padding. */
  List<double[]> real(int layer) {
    return examples.stream()
        .flatMap(List::stream)
        .filter(token -> !token.isPadding())
        .map(token -> token.vectors().get(layers.indexOf(layer)))
        .toList();
  }

  long[] integers(String name) {
    return examples.stream()
        .flatMap(List::stream)
        .mapToLong(token -> token.integers().get(name))
        .toArray();
  }

  /** Returns the line of {@code digest}, by the definition in docs/integrity.md. */
  String digestLine() {
    List<Integer> ascending = layers.stream().sorted().toList();
    MessageDigest all = sha256();
    for (List<Token> example : examples) {
      for (int layer : ascending) {
        all.update(sha256().digest(block(example, layer)));
      }
    }
    return "sha256-blocks:%s examples=%d layers=%s tokens=%d dim=%d"
        .formatted(
            HexFormat.of().formatHex(all.digest()),
            examples.size(),
            ascending.stream().map(String::valueOf).collect(Collectors.joining(",")),
            tokens(),
            dim);
  }

  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
