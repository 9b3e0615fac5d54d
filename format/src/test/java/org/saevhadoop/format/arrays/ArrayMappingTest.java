package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.arrays.Axis.DIM;
import static org.saevhadoop.format.arrays.Axis.EXAMPLE;
import static org.saevhadoop.format.arrays.Axis.LAYER;
import static org.saevhadoop.format.arrays.Axis.TOKEN;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrayMappingTest {
  @Test
  void axesAreListedOnceAndWithoutDimensionsOfAFixedIndex() {
    ArrayMapping mapping = ArrayMapping.parse("a=example,hook:-1,layer:3+7,token,token,dim");
    assertThat(mapping.axes()).containsExactly(EXAMPLE, LAYER, TOKEN, DIM);
    assertThat(mapping.layers()).containsExactly(3, 7);
    assertThat(mapping.name().toString()).isEqualTo("a");
    assertThat(mapping.isPlain()).isFalse();
    assertThat(mapping.dimensions())
        .extracting(ArrayMapping.Dimension::word)
        .containsExactly("example", "hook", "layer", "token", "token", "dim");
  }

  @Test
  void aMappingIsPlainIfEachDimensionIsAnAxisOfItsOwn() {
    assertThat(ArrayMapping.parse("a=token,layer,dim").isPlain()).isTrue();
    assertThat(ArrayMapping.parse("a=example,dim,dim").isPlain()).isFalse();
    assertThat(ArrayMapping.parse("a=example,hook:0,dim").isPlain()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=example,hook,dim",
        "a=example,Hook:0,dim",
        "a=example,hook:,dim",
        "a=example,hook:0+1,dim",
        "a=example,hook:1.5,dim",
        "a=example,hook:--1,dim",
        "a=example,hook:1234567890123456789,dim",
        "a=example,2:0,dim",
        "a=example,token:0,dim",
        "a=example,dim:0",
        "a=layer:1,layer:2,dim",
        "a=layer:x,dim",
        "a=example,,dim",
        "a=example,hook:0",
        "=dim",
        "dim"
      })
  void anotherTextIsRefusedWithTheGrammar(String text) {
    assertThatThrownBy(() -> ArrayMapping.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "\"" + text + "\" (expected NAME=AXES, with dim and any of example,")
        .hasMessageContaining("repeated if several dimensions form one")
        .hasMessageEndingWith("WORD:0 is the index to read of any other dimension)");
  }
}
